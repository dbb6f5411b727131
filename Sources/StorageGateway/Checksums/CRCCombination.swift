import ObjectStorage

/// Combines the CRCs of two pieces into the CRC of both, without their bytes. Appending bytes multiplies a CRC by a
/// power of x modulo the polynomial (as `crc32_combine` in zlib does). Valid for CRCs whose initial value and final
/// XOR are all ones, as in `CRC32`.
struct CRCCombination<Word: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
    /// Reflected: the highest bit is the coefficient of x to the power of 0.
    private let polynomial: Word
    private var one: Word { Word(1) << (Word.bitWidth - 1) }

    fileprivate init(polynomial: Word) { self.polynomial = polynomial }

    /// - Parameters:
    ///   - first: The CRC of the first piece.
    ///   - second: The CRC of the piece after it.
    ///   - length: The length of the second piece, in bytes.
    func combine(_ first: Word, _ second: Word, length: Int64) -> Word {
        multiply(power(UInt64(length) * 8), first) ^ second
    }

    /// Returns x to this power, modulo the polynomial.
    private func power(_ exponent: UInt64) -> Word {
        var (result, square, remaining) = (one, one >> 1, exponent)
        while remaining > 0 {
            if remaining & 1 == 1 { result = multiply(square, result) }
            square = multiply(square, square)
            remaining >>= 1
        }
        return result
    }

    private func multiply(_ left: Word, _ right: Word) -> Word {
        var (product, factor, bit): (Word, Word, Word) = (0, right, one)
        while bit > 0 {
            if left & bit != 0 { product ^= factor }
            factor = factor & 1 == 1 ? (factor >> 1) ^ polynomial : factor >> 1
            bit >>= 1
        }
        return product
    }
}

extension CRCCombination<UInt32> {
    static var crc32: CRCCombination { CRCCombination(polynomial: CRC32.polynomial) }
    static var crc32C: CRCCombination { CRCCombination(polynomial: CRC32.castagnoliPolynomial) }
}

extension CRCCombination<UInt64> {
    static var crc64NVME: CRCCombination { CRCCombination(polynomial: CRC64NVME.polynomial) }
}
