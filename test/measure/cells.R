# Writes cells.json: what base R makes of the inputs that stand beside each number. `Rscript test/measure/cells.R > test/measure/cells.json`
set.seed(1947)
number <- function(x) formatC(x, digits = 17, format = "g", width = 1)
row <- function(x) paste0("[", paste(number(x), collapse = ", "), "]")

# AUROC: the U of wilcox.test over the number of pairs; scores in tenths, so that many are tied.
auroc <- vapply(c(5, 40, 300), function(n) {
  truth <- c(1, 0, rbinom(n - 2, 1, 0.4))
  score <- round(runif(n) * 0.7 + truth * 0.2, 1)
  u <- suppressWarnings(wilcox.test(score[truth == 1], score[truth == 0])$statistic)
  paste0("{\"truths\": ", row(truth), ", \"scores\": ", row(score), ", \"auroc\": ", number(u / (sum(truth) * sum(1 - truth))), "}")
}, "")

# Correlations over cells, and their p by Student's t; of ranks with ties, by the t approximation.
correlation <- vapply(c(4, 6, 57), function(n) {
  x <- round(runif(n), 2)
  y <- round(0.4 * x + 0.3 * runif(n), 2)
  r <- cor.test(x, y)
  rho <- suppressWarnings(cor.test(x, y, method = "spearman", exact = FALSE))
  paste0("{\"x\": ", row(x), ", \"y\": ", row(y), ", \"pearson\": ", number(r$estimate), ", \"p\": ", number(r$p.value),
    ", \"spearman\": ", number(rho$estimate), ", \"rank_p\": ", number(rho$p.value), "}")
}, "")

# Two ways without replication: sums of squares of aov, in both orders, as shares of their total. NA is a gap.
table <- function(rows, columns, gaps) {
  m <- outer(rnorm(rows, sd = 0.1), rnorm(columns, sd = 0.2), "+") + 0.5 + matrix(rnorm(rows * columns, sd = 0.05), rows)
  m <- round(m, 3)
  m[gaps] <- NA
  d <- data.frame(y = as.vector(m), r = factor(rep(seq_len(rows), columns)), c = factor(rep(seq_len(columns), each = rows)))
  d <- d[!is.na(d$y), ]
  first <- summary(aov(y ~ r + c, d))[[1]][["Sum Sq"]]
  second <- summary(aov(y ~ c + r, d))[[1]][["Sum Sq"]]
  total <- sum(first)
  paste0("{\"row\": ", row(as.integer(d$r) - 1), ", \"column\": ", row(as.integer(d$c) - 1), ", \"value\": ", row(d$y),
    ", \"rows\": ", number((first[1] + second[2]) / 2 / total), ", \"columns\": ", number((first[2] + second[1]) / 2 / total),
    ", \"residual\": ", number(first[3] / total), "}")
}
twoWay <- c(table(3, 4, integer(0)), table(6, 7, integer(0)), table(6, 6, seq(1, 36, 7)), table(5, 4, c(2, 9, 20)))

cat("{\n  \"made\": \"", R.version.string, "\",\n", sep = "")
cat("  \"auroc\": [\n    ", paste(auroc, collapse = ",\n    "), "\n  ],\n", sep = "")
cat("  \"correlation\": [\n    ", paste(correlation, collapse = ",\n    "), "\n  ],\n", sep = "")
cat("  \"twoWay\": [\n    ", paste(twoWay, collapse = ",\n    "), "\n  ]\n}\n", sep = "")
