"""Values of Cohen's kappa that `kappa.test.ts` expects: python kappa.py > kappa.json, with scikit-learn 1.9.1."""

import json
import random

import sklearn
from sklearn.metrics import cohen_kappa_score

rng = random.Random(1960)


def codings(n, categories, agreement, skew=0.0):
    """Two codings of n trials: the second repeats the first with probability `agreement`, else it is drawn anew."""
    weights = [1 + skew * i for i in range(len(categories))]
    left = rng.choices(categories, weights, k=n)
    right = [a if rng.random() < agreement else rng.choices(categories, weights)[0] for a in left]
    return left, right


table = [["yes", "yes"]] * 20 + [["yes", "no"]] * 5 + [["no", "yes"]] * 10 + [["no", "no"]] * 15
cases = {
    "a table of two categories": tuple(zip(*table)),
    "three categories": codings(60, ["same", "different", "unclear"], 0.6),
    "five uneven categories": codings(200, list("abcde"), 0.8, 4.0),
    "less agreement than chance": (["a", "b"] * 10 + ["a"], ["b", "a"] * 10 + ["a"]),
    "no agreement but chance": codings(300, ["x", "y"], 0.0),
    "a category that one side never uses": (["a", "a", "b", "b", "c"], ["a", "b", "b", "b", "a"]),
    "all agree": (["a", "b", "c", "a"], ["a", "b", "c", "a"]),
}
print(
    json.dumps(
        {
            "source": f"sklearn.metrics.cohen_kappa_score, scikit-learn {sklearn.__version__}",
            "cases": [
                {"name": name, "left": list(left), "right": list(right), "kappa": cohen_kappa_score(left, right)}
                for name, (left, right) in cases.items()
            ],
        },
    )
)
