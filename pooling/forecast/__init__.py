"""How complete a pool is: what greater depth would still bring."""
