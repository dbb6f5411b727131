extension StringProtocol {
    /// The text with A to Z in lower case and every other character unchanged. For security-relevant comparisons:
    /// `lowercased()` maps some non-ASCII letters to ASCII, such as U+212A (Kelvin) to `k`.
    package var asciiLowercased: String {
        var text = ""
        for scalar in unicodeScalars {
            text.unicodeScalars.append(
                (0x41...0x5a).contains(scalar.value) ? Unicode.Scalar(UInt8(scalar.value) + 0x20) : scalar)
        }
        return text
    }
}
