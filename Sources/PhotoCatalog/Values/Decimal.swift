extension UInt64 {
    /// Parses one to nineteen decimal digits and nothing else, so that the number cannot overflow.
    init?(decimal digits: some Collection<UInt8>) {
        guard (1...19).contains(digits.count) else { return nil }
        var value: UInt64 = 0
        for byte in digits {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            value = value * 10 + UInt64(byte - UInt8(ascii: "0"))
        }
        self = value
    }
}

extension Int64 {
    /// Returns the sum with another number of bytes, capped at the largest number.
    package func addingCapped(_ bytes: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(bytes)
        return overflow ? .max : sum
    }
}

extension [UInt8] {
    mutating func append(decimal value: UInt64) {
        let start = count
        var remaining = value
        repeat {
            append(UInt8(ascii: "0") + UInt8(remaining % 10))
            remaining /= 10
        } while remaining > 0
        self[start...].reverse()
    }
}
