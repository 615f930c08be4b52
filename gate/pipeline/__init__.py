"""The sentence as code: prepare what is known, score what comes, conclude what follows.

``prepare`` has the rules, the baseline and the cases, and refuses whatever could not work
before anything is scored; ``conclude`` takes the answers one by one, in any order, and makes
the one report; ``replay`` decides a stored result again.
"""
