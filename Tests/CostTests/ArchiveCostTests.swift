import ObjectStorage
import Testing

/// The prices of archives in `docs/costs.md` compared with those of the estimates.
@Suite struct ArchiveCostTests {
    struct Price: Sendable, CustomTestStringConvertible {
        let name: String
        let numbers: [Double]

        var testDescription: String { name }
    }

    private static let names: [ArchiveKind: String] = [
        .flexible: "Glacier Flexible Retrieval", .deep: "Glacier Deep Archive", .tiered: "Archive Access tier",
        .tieredDeep: "Deep Archive Access tier",
    ]

    static let prices: [Price] =
        ArchiveKind.allCases.flatMap { kind in
            RetrievalTier.allCases.compactMap { speed in
                guard let price = ArchivePrices.retrieval(from: kind, speed), let name = names[kind],
                    let time = kind.maximumDuration(speed)
                else { return nil }
                return Price(
                    name: "\(name), \(speed.rawValue)",
                    numbers: [price.gigabyte * 1000, price.thousandRequests * 1000, time / .seconds(3600)])
            }
        } + [Price(name: "each month of 30 days", numbers: [ArchivePrices.copy * 1000])]

    @Test("the document has the prices of the estimates", arguments: prices)
    func price(_ price: Price) throws { try CostDocument().expect(price.name, price.numbers) }

    @Test("an archive has a price for a speed exactly if it supports it")
    func speeds() {
        for kind in ArchiveKind.allCases {
            for speed in RetrievalTier.allCases {
                #expect((ArchivePrices.retrieval(from: kind, speed) != nil) == kind.speeds.contains(speed))
            }
        }
    }
}
