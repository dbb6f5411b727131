import Foundation

/// Computes the checksum of an object from those of its parts, without reading their bytes again.
struct PartChecksums: Sendable {
    let algorithm: ChecksumAlgorithm
    /// The parts in order: the checksum in base64, and the length in bytes.
    let parts: [(value: String, size: Int64)]

    /// Returns the object's checksum; `nil` if a part's checksum is malformed, or the algorithm does not support the
    /// type.
    func combined(_ type: ChecksumType) -> ContentChecksum? {
        guard type.exists(for: algorithm) else { return nil }
        let digests = parts.compactMap { Data(base64Encoded: $0.value) }
        guard digests.count == parts.count, digests.allSatisfy({ $0.count == algorithm.size }) else { return nil }
        switch type {
        case .composite: return composite(digests)
        case .fullObject: return fullObject(digests)
        }
    }

    private func composite(_ digests: [Data]) -> ContentChecksum {
        var checksum = RunningChecksum(algorithm)
        for digest in digests { digest.withUnsafeBytes { checksum.update($0) } }
        return ContentChecksum(algorithm, "\(checksum.base64)-\(digests.count)", type: .composite)
    }

    private func fullObject(_ digests: [Data]) -> ContentChecksum? {
        switch algorithm {
        case .crc32: joined(digests, CRCCombination.crc32)
        case .crc32c: joined(digests, CRCCombination.crc32C)
        case .crc64nvme: joined(digests, CRCCombination.crc64NVME)
        case .sha1, .sha256: nil
        }
    }

    private func joined<Word: FixedWidthInteger & UnsignedInteger & Sendable>(
        _ digests: [Data], _ combination: CRCCombination<Word>
    ) -> ContentChecksum {
        let words = digests.map { digest in digest.reduce(Word(0)) { $0 << 8 | Word($1) } }
        // The CRC of no bytes is 0.
        let combined = zip(words, parts).reduce(Word(0)) { combined, next in
            combination.combine(combined, next.0, length: next.1.size)
        }
        return ContentChecksum(algorithm, withUnsafeBytes(of: combined.bigEndian) { Data($0) }.base64EncodedString())
    }
}
