import ArgumentParser

/// A number of bytes as an option: `500`, `1.5MB` in decimal units, as sizes are printed, or `2GiB` in binary units.
struct SizeOption: ExpressibleByArgument, Equatable {
    let bytes: Int64

    private static let prefixes = ["": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5]

    init?(argument: String) {
        let number = argument.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        var unit = argument.dropFirst(number.count).lowercased()
        if unit.hasPrefix(" ") { unit.removeFirst() }
        if unit.hasSuffix("b") { unit.removeLast() }
        let isBinary = unit.hasSuffix("i")
        if isBinary { unit.removeLast() }
        guard let power = Self.prefixes[unit], !(isBinary && power == 0), let value = Double(number) else { return nil }
        var bytes = value
        for _ in 0..<power { bytes *= isBinary ? 1024 : 1000 }
        guard bytes.isFinite, bytes < 9e18 else { return nil }
        self.bytes = Int64(bytes.rounded())
    }
}
