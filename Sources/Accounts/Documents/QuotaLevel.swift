/// How full an account's storage was at the last check.
package enum QuotaLevel: String, Codable, Sendable, Comparable, CaseIterable {
    case roomy
    /// At least 80% of the limit.
    case near
    /// Above the limit.
    case exceeded

    /// - Parameters:
    ///   - bytes: bytes stored.
    ///   - limit: bytes that may be stored.
    package init(_ bytes: Int64, of limit: Int64) {
        self = bytes > limit ? .exceeded : bytes >= limit / 5 * 4 && bytes > 0 ? .near : .roomy
    }

    package static func < (left: Self, right: Self) -> Bool {
        (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
}
