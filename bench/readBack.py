"""Reads what `cfx export` wrote with the readers of other tools, and compares it with trials.csv: see readBack.sh.

    python readBack.py DIR     (a run directory with trials.csv, trials.parquet, trials.arrow and inspect/)
"""
import csv, glob, json, sys

import pandas
import pyarrow.feather

folder = sys.argv[1]
with open(f"{folder}/trials.csv", newline="", encoding="utf-8") as file:
    rows = list(csv.reader(file))
header, rows = rows[0], rows[1:]
failures = 0


def check(what, holds):
    global failures
    failures += not holds
    print(f"{'ok  ' if holds else 'FAIL'} {what}")


def written(value):
    """A value as trials.csv writes it: numbers as the shortest decimals that read back, nothing where there is none."""
    if value is None or value is pandas.NA or value != value: return ""
    if isinstance(value, bool) or type(value).__name__ == "bool_": return "true" if value else "false"
    return value if isinstance(value, str) else value


def same(cell, value):
    value = written(value)
    if isinstance(value, str): return cell == value
    return cell != "" and float(cell) == float(value)


for name, table in (("parquet", pandas.read_parquet(f"{folder}/trials.parquet")), ("arrow", pyarrow.feather.read_table(f"{folder}/trials.arrow").to_pandas())):
    check(f"{name}: {len(rows)} rows, {len(header)} columns, as trials.csv has them", list(table.columns) == header and len(table) == len(rows))
    kinds = {column: str(table[column].dtype) for column in header}
    probabilities = [column for column in header if column.endswith((".confidence", ".mass", ".p0"))]
    check(f"{name}: probabilities are doubles ({len(probabilities)} columns)", all(kinds[column] == "float64" for column in probabilities))
    others = [column for at, column in enumerate(header) if not all(same(row[at], value) for row, value in zip(rows, table[column]))]
    check(f"{name}: every value is that of trials.csv{': not in ' + ', '.join(others) if others else ''}", not others)

try:
    from inspect_ai.log import read_eval_log
except ImportError:
    read_eval_log = None
    print("skip Inspect is not installed: its logs are read as JSON alone")
samples = 0
for path in sorted(glob.glob(f"{folder}/inspect/*.json")):
    log = json.load(open(path, encoding="utf-8"))
    if read_eval_log is not None:
        read = read_eval_log(path)
        check(f"inspect: {path.rsplit('/', 1)[1]} reads, {len(read.samples or [])} samples, {read.eval.task} on {read.eval.model}", read.status == "success" and len(read.samples or []) == len(log["samples"]))
    samples += len(log["samples"])
check(f"inspect: {samples} samples are the {len(rows)} trials", samples == len(rows))
sys.exit(1 if failures else 0)
