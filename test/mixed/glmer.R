# What lme4 makes of the generated data sets: Rscript glmer.R > glmer.json, in this folder, with lme4 1.1-31, numDeriv, jsonlite and R 4.2.2.
# `generate` is that of generate.ts, number by number: a linear congruential generator of which every value is exact in doubles.
suppressPackageStartupMessages({ library(lme4); library(jsonlite) })

or <- function(value, default) if (is.null(value)) default else value

generate <- function(spec) {
  state <- spec$seed * 7919 + 1
  uniform <- function() { state <<- (16807 * state) %% 2147483647; state / 2147483647 }
  normal <- function() { sum <- 0; for (i in 1:12) sum <- sum + uniform(); sum - 6 }
  for (i in 1:10) uniform()
  sd <- function(name) or(spec$sd[[name]], 0)
  effect <- function(values, at) if (is.null(values)) 0 else values[[at]]
  framings <- spec$framings
  # An intercept, then a slope for each framing but the first, which correlates with the intercept.
  effects <- function(levels, deviation, slope, correlation) lapply(seq_len(levels), function(level) {
    intercept <- normal()
    slopes <- c(0, vapply(seq_len(framings - 1), function(k)
      slope * (correlation * intercept + sqrt(1 - correlation * correlation) * normal()), 0))
    list(intercept = deviation * intercept, slopes = slopes)
  })
  models <- effects(spec$models, sd("model"), sd("modelSlope"), or(spec$modelCorrelation, 0))
  pools <- effects(spec$pools, sd("pool"), sd("poolSlope"), 0)
  wordings <- vapply(seq_len(or(spec$wordings, 1)), function(w) sd("wording") * normal(), 0)
  structures <- or(spec$structures, 1)
  n <- spec$pools * spec$items * spec$models * framings * structures * length(wordings)
  out <- list(pool = integer(n), item = integer(n), model = integer(n), framing = integer(n), structure = integer(n),
              wording = integer(n), confidence = numeric(n), choices = numeric(n), tokens = numeric(n), y = integer(n))
  row <- 0
  for (pool in seq_len(spec$pools)) for (item in seq_len(spec$items)) {
    own <- effects(1, sd("item"), sd("itemSlope"), or(spec$itemCorrelation, 0))[[1]]
    choices <- 3 + floor(uniform() * 3)
    for (model in seq_len(spec$models)) {
      confidence <- uniform()
      tokens <- floor(uniform() * 4000)
      for (framing in seq_len(framings)) for (structure in seq_len(structures)) for (wording in seq_along(wordings)) {
        steeper <- if (framing == framings) or(spec$steeper, 0) else 0
        logit <- spec$intercept + effect(spec$framing, framing) + effect(spec$structure, structure) +
          (if (framing == framings && structure == structures && structures > 1) or(spec$interaction, 0) else 0) +
          (or(spec$confidence, 0) + steeper) * confidence + or(spec$choices, 0) * choices + or(spec$tokens, 0) * tokens +
          models[[model]]$intercept + models[[model]]$slopes[framing] + pools[[pool]]$intercept + pools[[pool]]$slopes[framing] +
          own$intercept + own$slopes[framing] + wordings[wording]
        kept <- uniform() < or(spec$keep, 1)
        y <- uniform() < 1 / (1 + exp(-logit))
        if (!kept) next
        row <- row + 1
        out$pool[row] <- pool; out$item[row] <- (pool - 1) * spec$items + item; out$model[row] <- model
        out$framing[row] <- framing; out$structure[row] <- structure; out$wording[row] <- wording
        out$confidence[row] <- confidence; out$choices[row] <- choices; out$tokens[row] <- tokens; out$y[row] <- y
      }
    }
  }
  data <- as.data.frame(out)[seq_len(row), ]
  for (name in c("pool", "item", "model", "framing", "structure", "wording")) data[[name]] <- factor(data[[name]])
  data
}

# A slope over a factor: one for each level but the first, correlated with the intercept or each with a deviation of its own.
formula_of <- function(spec, data) {
  slopes <- or(spec$slopes, list())
  fixed <- gsub(" * ", ":", unlist(spec$fixed), fixed = TRUE)
  random <- vapply(spec$random, function(by) {
    of <- Filter(function(slope) slope$by == by, slopes)
    if (length(of) == 0) return(paste0("(1 | ", by, ")"))
    slope <- of[[1]]
    if (isTRUE(slope$correlated)) return(paste0("(1 + ", slope$factor, " | ", by, ")"))
    levels <- levels(data[[slope$factor]])[-1]
    paste(c(paste0("(1 | ", by, ")"), paste0("(0 + ", slope$factor, levels, " | ", by, ")")), collapse = " + ")
  }, "")
  as.formula(paste("y ~", paste(c(fixed, random), collapse = " + ")))
}

fit <- function(spec, data) {
  dummies <- model.matrix(~ framing, data)[, -1, drop = FALSE]
  control <- glmerControl(optimizer = "bobyqa", tolPwrss = 1e-13, optCtrl = list(maxfun = 1e5))
  # bobyqa does not get to the maximum where a column's numbers are large.
  data$tokens <- data$tokens / 1000
  of <- function(...) suppressWarnings(suppressMessages(
    glmer(formula_of(spec, data), cbind(data, dummies), binomial, control = control, ...)))
  list(model = of(), deviance = of(devFunOnly = TRUE))
}

# bobyqa ends within some 1e-4 of the maximum, and lme4 takes second derivatives by plain differences. What is compared with is the maximum of lme4's
# own deviance function: from there on by Newton's method, with Richardson's derivatives (numDeriv), and the second derivatives at its end.
# Deviations that lme4 has at 0 stay there.
polish <- function(model, deviance) {
  at <- c(getME(model, "theta"), fixef(model))
  free <- which(!(seq_along(at) <= length(getME(model, "theta")) & at < 1e-4 & c(getME(model, "lower"), rep(0, length(fixef(model)))) == 0))
  of <- function(values) { at[free] <- values; deviance(at) }
  values <- at[free]
  for (round in 1:3) {
    hessian <- numDeriv::hessian(of, values)
    next_values <- values - solve(hessian, numDeriv::grad(of, values))
    if (of(next_values) > of(values) + 1e-9) break
    values <- next_values
  }
  at[free] <- values
  fixed <- (length(getME(model, "theta")) + 1):length(at)
  covariance <- solve(numDeriv::hessian(of, values)) * 2
  list(theta = at[-fixed], beta = at[fixed], deviance = deviance(at),
       errors = sqrt(diag(covariance))[match(fixed, free)])
}

# Of each term its deviations, and its correlations as lme4 has them: below the diagonal, column by column.
spreads_of <- function(terms, theta) {
  at <- 0
  lapply(seq_along(terms), function(i) {
    k <- length(terms[[i]])
    factor <- matrix(0, k, k)
    factor[lower.tri(factor, diag = TRUE)] <- theta[at + seq_len(k * (k + 1) / 2)]
    at <<- at + k * (k + 1) / 2
    covariance <- factor %*% t(factor)
    deviations <- sqrt(diag(covariance))
    correlation <- covariance / outer(deviations, deviations)
    list(by = names(terms)[i], effects = I(terms[[i]]), deviations = I(deviations), correlations = I(correlation[lower.tri(correlation)]))
  })
}

truth <- function(spec) {
  data <- generate(spec)
  message(spec$name, ": ", nrow(data), " rows")
  fitted <- fit(spec, data)
  model <- fitted$model
  best <- polish(model, fitted$deviance)
  unit <- ifelse(names(fixef(model)) == "tokens", 1000, 1)
  list(
    name = spec$name, rows = nrow(data), true = sum(data$y), check = sum(data$y * seq_len(nrow(data))),
    logLikelihood = -best$deviance / 2, reported = as.numeric(logLik(model)), singular = isSingular(model),
    fixed = data.frame(name = names(fixef(model)), estimate = best$beta / unit, standardError = best$errors / unit,
                       reported = summary(model)$coefficients[, 2] / unit, row.names = NULL),
    spreads = spreads_of(getME(model, "cnms"), best$theta)
  )
}

if (sys.nframe() == 0) {
  specs <- fromJSON("generated.json", simplifyVector = FALSE)
  truths <- lapply(specs, truth)
  source <- paste0("lme4 ", packageVersion("lme4"), ", ", R.version.string)
  cat(toJSON(list(source = source, truths = truths), auto_unbox = TRUE, digits = 10, pretty = TRUE), "\n")
}
