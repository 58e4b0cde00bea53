# What R makes of designs, and lme4 of models without one of their parts: Rscript parts.R > parts.json, in this folder, as glmer.R.
source("glmer.R")

rows <- expand.grid(framing = factor(c("a", "b", "c")), structure = factor(c("x", "y")), repeats = 1:2)
rows$confidence <- (seq_len(nrow(rows)) %% 5) / 5
rows$framingconfidence <- rows$confidence
formulas <- c("framing + structure + framing:structure", "framing:structure", "framing + framing:structure", "structure + framing:structure",
              "framing:confidence", "confidence + framing:confidence", "framing + framing:confidence",
              "framing + structure + confidence + framing:structure:confidence", "framing:structure:confidence")
designs <- lapply(formulas, function(formula) {
  matrix <- model.matrix(as.formula(paste("~", formula)), rows)
  decomposed <- qr(matrix)
  kept <- sort(decomposed$pivot[seq_len(decomposed$rank)])
  list(formula = formula, columns = I(colnames(matrix)), kept = I(colnames(matrix)[kept]), sums = I(unname(colSums(matrix * seq_len(nrow(matrix))))))
})

specs <- fromJSON("generated.json", simplifyVector = FALSE)
named <- function(name) Filter(function(spec) spec$name == name, specs)[[1]]
control <- glmerControl(optimizer = "bobyqa", tolPwrss = 1e-13, optCtrl = list(maxfun = 1e5))
ratio <- function(name, part, larger, smaller) {
  data <- generate(named(name))
  data <- cbind(data, model.matrix(~ framing, data)[, -1, drop = FALSE])
  of <- function(formula) suppressWarnings(suppressMessages(glmer(as.formula(formula), data, binomial, control = control)))
  table <- anova(of(smaller), of(larger))
  list(name = name, part = part, statistic = table[2, "Chisq"], freedom = table[2, "Df"], tail = table[2, "Pr(>Chisq)"])
}
ratios <- list(
  ratio("crossed", "framing", "y ~ framing + (1 | model) + (1 | pool) + (1 | item)", "y ~ 1 + (1 | model) + (1 | pool) + (1 | item)"),
  ratio("crossed", "pool", "y ~ framing + (1 | model) + (1 | pool) + (1 | item)", "y ~ framing + (1 | model) + (1 | item)"),
  ratio("interaction of factors", "framing * structure", "y ~ framing * structure + (1 | model) + (1 | pool) + (1 | item)",
        "y ~ framing + structure + (1 | model) + (1 | pool) + (1 | item)"),
  ratio("correlated slopes by model", "framing by model", "y ~ framing + (1 + framing | model) + (1 | item)", "y ~ framing + (1 | model) + (1 | item)")
)

# Which terms R takes out of a model one by one (drop1 respects marginality), and their tests.
drops <- local({
  data <- generate(named("interaction of factors"))
  random <- "(1 | model) + (1 | pool) + (1 | item)"
  lapply(c("framing * structure", "framing + structure"), function(fixed) {
    model <- suppressWarnings(suppressMessages(glmer(as.formula(paste("y ~", fixed, "+", random)), data, binomial, control = control)))
    terms <- drop.scope(as.formula(paste("~", fixed)))
    tests <- lapply(terms, function(term) {
      table <- anova(suppressWarnings(suppressMessages(update(model, paste(". ~ . -", term), data = data))), model)
      list(term = term, statistic = table[2, "Chisq"], freedom = table[2, "Df"])
    })
    list(fixed = fixed, tests = tests)
  })
})
cat(toJSON(list(source = paste0("lme4 ", packageVersion("lme4"), ", ", R.version.string), rows = rows, designs = designs, ratios = ratios, drops = drops),
           auto_unbox = TRUE, digits = 10, pretty = TRUE), "\n")
