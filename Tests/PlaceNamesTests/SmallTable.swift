import PlaceNames

/// A table with cities at both sides of the date line and near a pole.
enum SmallTable {
    static let lines = [
        "places 2 2 2 4 2",
        "FJ\tFiji\tFidschi\tFiyi\tフィジー\t피지\tfidschi",
        "NO\tNorway\tNorwegen\tNoruega\tノルウェー\t노르웨이\tnorwegen",
        "0\t\t\t\t\t\t",
        "1\tPolar Land\tPolarland\t\t\t극지\tpolarland",
        "-16800\t-179950\t5000\t0\tEast Side\t",
        "-16800\t179900\t9000\t0\tWest Side\tweststadt",
        "89900\t-170000\t5000\t1\tPole One\t",
        "89900\t20000\t5000\t1\tPöle Two\tpole two|北極|뉴욕 시",
        "1\tWeststadt\t\t\t",
        "3\tPol Zwei\t\t北極\t뉴욕 시",
    ]

    static func text(_ lines: [String] = lines) -> [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }

    static func table() throws -> PlaceTable { try PlaceTable(text: text()) }
}
