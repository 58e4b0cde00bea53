# Times lme4's glmer, with its defaults, on what bench/mixed.ts wrote: Rscript bench/mixed.R FILE.csv FORMULA
suppressPackageStartupMessages(library(lme4))
arguments <- commandArgs(trailingOnly = TRUE)
data <- read.csv(arguments[1], stringsAsFactors = TRUE)
for (name in c("framing", "model", "pool", "item")) data[[name]] <- factor(data[[name]])
data <- cbind(data, model.matrix(~ framing, data)[, -1, drop = FALSE])
started <- proc.time()
fit <- suppressWarnings(suppressMessages(glmer(as.formula(arguments[2]), data, binomial)))
spent <- proc.time() - started
cat(sprintf("%.3f %.3f %.6f %s\n", spent[["user.self"]] + spent[["sys.self"]], spent[["elapsed"]], as.numeric(logLik(fit)),
            paste(sprintf("%.5f", fixef(fit)), collapse = " ")))
