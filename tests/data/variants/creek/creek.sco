sco (oak Hut Bra Bog)
    (elm Pon)
    (UNO Isl)
