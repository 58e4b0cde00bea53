"""Writes truths.py.json: what SciPy and statsmodels make of the inputs that stand beside each number.

    pip install scipy==1.17.1 statsmodels==0.15.0
    python test/statistics/truths.py > test/statistics/truths.py.json
"""

import json

import numpy as np
import scipy
import statsmodels
import statsmodels.api as sm
from scipy import stats
from scipy.stats import _resampling
from statsmodels.stats.proportion import confint_proportions_2indep
from statsmodels.stats.weightstats import ttost_paired

rng = np.random.default_rng(20261130)


def newcombe():
    for k1, n1, k2, n2 in [(56, 70, 48, 80), (9, 10, 3, 10), (5, 56, 0, 29), (10, 10, 0, 10), (0, 10, 0, 10), (300, 900, 250, 1000)]:
        low, high = confint_proportions_2indep(k1, n1, k2, n2, method="newcomb", compare="diff", alpha=0.05)
        yield {"first": {"k": k1, "n": n1}, "second": {"k": k2, "n": n2}, "low": low, "high": high}


def turned():
    """Exact tests that turn the signs of all samples, and one over a million draws."""
    kinds = [
        np.round(rng.normal(0.4, 1, 9), 3),
        np.round(rng.normal(-0.2, 0.5, 12), 3),
        np.array([1, 1, 0, -1, 1, 1, 0, 1, -1, 1]),
        np.array([3, -1, 2, 2, 0, 1, -2, 4, 1]),
        np.array([2, 2, 2, -2, 2, 2]),
        np.array([0.5, 0.5, 0.5, 0.5, -0.5, 0.5]),
    ]
    for differences in kinds:
        test = stats.permutation_test((differences,), np.sum, permutation_type="samples", n_resamples=np.inf)
        yield {"differences": differences.tolist(), "p": test.pvalue, "exact": True}
    many = np.round(rng.normal(0.15, 1, 150), 3)
    test = stats.permutation_test((many,), np.sum, permutation_type="samples", n_resamples=1_000_000, rng=rng, vectorized=True)
    yield {"differences": many.tolist(), "p": test.pvalue, "exact": False}


def accelerated():
    """Skewed data, resampled 400 times; BCa intervals of these draws by SciPy's own function, at two levels."""
    for statistic, name in [(np.mean, "mean"), (np.var, "variance")]:
        data = np.round(rng.exponential(1, 25), 3)
        draws = np.array([statistic(rng.choice(data, len(data))) for _ in range(400)])
        intervals = []
        for level in [0.9, 0.95]:
            interval, acceleration = None, None
            alpha = (1 - level) / 2
            ends = _resampling._bca_interval((data,), statistic, 0, alpha, draws, None, np)
            low, high = np.quantile(draws, ends[0]), np.quantile(draws, ends[1])
            intervals.append({"level": 100 * level, "low": float(low), "high": float(high)})
            acceleration = float(np.ravel(ends[2])[0])
        without = [statistic(np.delete(data, i)) for i in range(len(data))]
        yield {
            "statistic": name,
            "draws": draws.tolist(),
            "estimate": float(statistic(data)),
            "without": [float(x) for x in without],
            "acceleration": acceleration,
            "intervals": intervals,
        }


def clustered():
    """The mean over trials of items, each item with some of them: standard error clustered by item, with the factor G / (G - 1)."""
    for items in [6, 40]:
        counts = rng.integers(1, 6, items)
        groups = np.repeat(np.arange(items), counts)
        values = np.round(rng.normal(0.3, 0.4, items)[groups] + rng.normal(0, 0.3, len(groups)), 3)
        fit = sm.OLS(values, np.ones((len(values), 1))).fit(cov_type="cluster", cov_kwds={"groups": groups, "use_correction": True})
        yield {"groups": groups.tolist(), "values": values.tolist(), "estimate": float(fit.params[0]), "standardError": float(fit.bse[0])}


def equivalent():
    for shift, margin in [(0.02, 0.2), (0.15, 0.2), (0.0, 0.05), (-0.1, 0.35)]:
        first = np.round(rng.normal(0, 0.3, 20), 3)
        second = np.round(first - shift + rng.normal(0, 0.2, 20), 3)
        p, _, _ = ttost_paired(first, second, -margin, margin)
        yield {"first": first.tolist(), "second": second.tolist(), "margin": margin, "p": float(p)}


print(
    json.dumps(
        {
            "made": f"SciPy {scipy.__version__}, statsmodels {statsmodels.__version__}, NumPy {np.__version__}",
            "newcombe": list(newcombe()),
            "turned": list(turned()),
            "accelerated": list(accelerated()),
            "clustered": list(clustered()),
            "equivalent": list(equivalent()),
        },
        default=float,
    )
)
