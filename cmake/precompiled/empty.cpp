// Nothing: a target must have a source for its headers to be compiled.
