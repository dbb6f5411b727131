/// The prices of restorations in US dollars: AWS list prices in us-east-1, November 2026. `docs/costs.md` lists them, and
/// `CostTests` compares the two.
package enum ArchivePrices {
    /// A gigabyte in AWS's bills, in bytes.
    static let gigabyte = Double(1 << 30)
    /// A gigabyte of restored copies for a month, priced as S3 Standard.
    package static let copy = 0.023
    private static let daysOfMonth = 30.0

    /// Returns the prices of a gigabyte and of 1,000 requests; `nil` if the archive does not support the speed.
    package static func retrieval(
        from kind: ArchiveKind, _ speed: RetrievalTier
    ) -> (gigabyte: Double, thousandRequests: Double)? {
        switch (kind, speed) {
        case (.flexible, .expedited), (.tiered, .expedited): (0.03, 10)
        case (.flexible, .standard): (0.01, 0.05)
        case (.deep, .standard): (0.02, 0.10)
        case (.deep, .bulk): (0.0025, 0.025)
        case (.flexible, .bulk), (.tiered, .standard), (.tiered, .bulk), (.tieredDeep, .standard), (.tieredDeep, .bulk):
            (0, 0)
        case (.deep, .expedited), (.tieredDeep, .expedited): nil
        }
    }

    /// Returns the price of restoring objects and of their copies; `nil` if the archive does not support the speed.
    static func price(of objects: Int, bytes: Int64, from kind: ArchiveKind, _ request: RetrievalRequest) -> Double? {
        guard let price = retrieval(from: kind, request.tier) else { return nil }
        let gigabytes = Double(bytes) / gigabyte
        let copies = kind.expiresCopies ? gigabytes * copy * Double(request.days) / daysOfMonth : 0
        return gigabytes * price.gigabyte + Double(objects) / 1000 * price.thousandRequests + copies
    }
}
