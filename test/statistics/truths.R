# Writes truths.R.json: what base R makes of the inputs that stand beside each number. `Rscript test/statistics/truths.R > test/statistics/truths.R.json`
number <- function(x) ifelse(is.finite(x), formatC(x, digits = 17, format = "g", width = 1), "null")
json <- function(x) {
  if (is.list(x) && !is.null(names(x))) {
    paste0("{", paste0("\"", names(x), "\": ", vapply(x, json, ""), collapse = ", "), "}")
  } else if (is.list(x)) {
    paste0("[", paste(vapply(x, json, ""), collapse = ", "), "]")
  } else if (is.character(x)) {
    paste0("\"", x, "\"")
  } else if (length(x) == 1 && is.null(attr(x, "many"))) {
    number(x)
  } else {
    paste0("[", paste(number(x), collapse = ", "), "]")
  }
}
many <- function(x) structure(x, many = TRUE)

normal <- lapply(c(-8, -1, 0, 0.5, 1.959963984540054, 5, 10, 37), function(z) list(z = z, tail = pnorm(z, lower.tail = FALSE)))
quantiles <- lapply(c(1e-300, 1e-20, 1e-6, 0.025, 0.3, 0.5, 0.7, 0.9, 0.975, 0.999999), function(p) list(p = p, z = qnorm(p)))
student <- list()
for (freedom in c(0.7, 1, 2, 3.7, 10, 29.5, 200, 2999, 1e5)) {
  for (t in c(-2, 0, 0.1, 1, 2.5, 8, 40)) student[[length(student) + 1]] <- list(t = t, freedom = freedom, tail = pt(t, freedom, lower.tail = FALSE))
}
studentQuantiles <- list()
for (freedom in c(0.7, 1, 2, 3.7, 10, 29.5, 200, 2999, 1e5)) {
  for (p in c(0.5, 0.55, 0.74, 0.76, 0.9, 0.95, 0.975, 0.9995)) studentQuantiles[[length(studentQuantiles) + 1]] <- list(p = p, freedom = freedom, t = qt(p, freedom))
}
binomial <- lapply(list(c(0, 5, 0.3), c(3, 5, 0.3), c(6, 6, 0.5), c(7, 8, 0.5), c(120, 180, 0.5), c(41000, 81000, 0.5), c(300, 500, 0.5), c(6, 5, 0.2)),
  function(x) list(k = x[1], n = x[2], p = x[3], tail = pbinom(x[1] - 1, x[2], x[3], lower.tail = FALSE)))

wilson <- lapply(list(c(0, 1), c(1, 1), c(0, 50), c(50, 50), c(1, 50), c(5, 50), c(25, 50), c(180, 500), c(3, 7), c(81, 263), c(66432, 99900)), function(x) {
  lapply(c(90, 95, 99), function(level) {
    test <- suppressWarnings(prop.test(x[1], x[2], conf.level = level / 100, correct = FALSE))
    list(k = x[1], n = x[2], level = level, low = test$conf.int[1], high = test$conf.int[2])
  })
})
wilson <- do.call(c, wilson)

fisher <- lapply(list(c(3, 10, 9, 12), c(0, 5, 5, 5), c(0, 8, 0, 9), c(1, 1, 0, 1), c(12, 40, 30, 45), c(300, 1000, 360, 1000), c(2, 30, 400, 500), c(8, 8, 0, 3)), function(x)
  list(first = list(k = x[1], n = x[2]), second = list(k = x[3], n = x[4]), p = fisher.test(matrix(c(x[1], x[2] - x[1], x[3], x[4] - x[3]), 2))$p.value))

signs <- lapply(list(c(6, 0), c(5, 1), c(0, 7), c(3, 3), c(20, 9), c(1, 0), c(60, 84)), function(x) list(
  above = x[1], below = x[2],
  twoSided = binom.test(x[1], sum(x))$p.value,
  greater = binom.test(x[1], sum(x), alternative = "greater")$p.value,
  less = binom.test(x[1], sum(x), alternative = "less")$p.value))

# Student (1908): hours of sleep that two drugs gave ten patients (R's data set `sleep`), and lengths of teeth under two supplements (`ToothGrowth`).
drug1 <- sleep$extra[sleep$group == 1]
drug2 <- sleep$extra[sleep$group == 2]
oj <- ToothGrowth$len[ToothGrowth$supp == "OJ" & ToothGrowth$dose == 0.5]
vc <- ToothGrowth$len[ToothGrowth$supp == "VC" & ToothGrowth$dose == 2][1:7]
testOf <- function(test) list(estimate = unname(if (length(test$estimate) == 2) test$estimate[1] - test$estimate[2] else test$estimate),
  standardError = test$stderr, freedom = unname(test$parameter), p = test$p.value, low = test$conf.int[1], high = test$conf.int[2])
means <- list(
  one = c(list(values = many(drug1)), testOf(t.test(drug1))),
  paired = c(list(first = many(drug1), second = many(drug2)), testOf(t.test(drug1, drug2, paired = TRUE))),
  welch = c(list(first = many(oj), second = many(vc)), testOf(t.test(oj, vc))))

ps <- list(many(c(0.01, 0.04, 0.03, 0.005)), many(c(0.2)), many(c(0.5, 0.5, 0.9, 0.04, 1)), many(c(1e-12, 0.03, 0.03, 0.03, 0.7, 0.049)), many(rev(seq(0.001, 0.2, length.out = 12))))
families <- lapply(ps, function(p) list(p = p, holm = many(p.adjust(p, "holm")), bh = many(p.adjust(p, "BH"))))

correlations <- lapply(list(list(mtcars$mpg[1:12], mtcars$hp[1:12]), list(cars$speed, cars$dist), list(c(1, 2, 2, 3), c(5, 5, 1, 0))), function(x)
  list(x = many(x[[1]]), y = many(x[[2]]), pearson = cor(x[[1]], x[[2]]), spearman = cor(x[[1]], x[[2]], method = "spearman")))

# Of tied scores: R's W counts a tie as one half.
auroc <- lapply(list(list(c(0.9, 0.4, 0.4, 0.7), c(0.1, 0.4, 0.3)), list(airquality$Wind[airquality$Month == 5], airquality$Wind[airquality$Month == 8])), function(x)
  list(positive = many(x[[1]]), negative = many(x[[2]]), area = unname(suppressWarnings(wilcox.test(x[[1]], x[[2]]))$statistic) / length(x[[1]]) / length(x[[2]])))

quantile7 <- lapply(c(0, 0.025, 0.1, 0.5, 0.9, 1), function(p) list(values = many(sort(drug1)), p = p, quantile = unname(quantile(drug1, p))))

cat(json(list(made = R.version.string, normal = normal, quantiles = quantiles, student = student, studentQuantiles = studentQuantiles, binomial = binomial,
  wilson = wilson, fisher = fisher, signs = signs, means = means, families = families, correlations = correlations, auroc = auroc, quantile7 = quantile7)), "\n")
