"""The methods that train networks: a module and a function of the same name each."""
