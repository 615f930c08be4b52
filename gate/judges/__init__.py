"""Stage 2: pairs become questions to a judge, and its answers become scores; nobody is asked here.

Whoever asks stands between the two halves: ``questions`` plans what is to be asked, ``ledger``
keeps what was answered, and ``replay`` is a pure scorer of both.
"""
