"""The methods: a module and a function of the same name each."""
