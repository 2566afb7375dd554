def words():
    return "from elsewhere"
