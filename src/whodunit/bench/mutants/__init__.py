"""`whodunit bench mutants`: how much the rule tests notice."""
