/// How long the restoration of archived objects takes and what it costs the operator of the store, for each speed.
package struct RetrievalEstimate: Sendable, Equatable {
    private struct Sum: Equatable {
        var objects = 0
        var bytes: Int64 = 0
    }

    /// The restoration of the objects at one speed.
    package struct Option: Sendable, Equatable {
        package let speed: RetrievalTier
        /// The number of objects whose archive supports the speed.
        package let objects: Int
        /// The usual upper bound.
        package let longest: Duration
        /// In US dollars, by AWS's list prices.
        package let dollars: Double
    }

    private var sums: [ArchiveKind: Sum] = [:]

    package init() {}

    /// Creates the estimate for one object.
    package init(_ kind: ArchiveKind, bytes: Int64) { add(kind, bytes: bytes) }

    package mutating func add(_ kind: ArchiveKind, bytes: Int64) {
        let sum = sums[kind] ?? Sum()
        let (total, isTooLarge) = sum.bytes.addingReportingOverflow(max(0, bytes))
        sums[kind] = Sum(objects: sum.objects + 1, bytes: isTooLarge ? .max : total)
    }

    package var objects: Int { sums.values.reduce(0) { $0 + $1.objects } }

    /// Capped at the largest number.
    package var bytes: Int64 {
        sums.values.reduce(0) { total, sum in
            let (next, isTooLarge) = total.addingReportingOverflow(sum.bytes)
            return isTooLarge ? .max : next
        }
    }

    /// Whether any of the objects return to their archive after a number of days.
    package var expiresCopies: Bool { sums.keys.contains(where: \.expiresCopies) }

    /// Returns the speeds that an archive of at least one object supports, slowest first.
    /// - Parameter days: How long the restored objects stay readable.
    package func options(days: Int) -> [Option] {
        RetrievalTier.allCases.compactMap { speed in
            let request = RetrievalRequest(speed: speed, days: days)
            var (objects, longest, dollars) = (0, Duration.zero, 0.0)
            for kind in ArchiveKind.allCases {
                guard let sum = sums[kind], let time = kind.maximumDuration(speed),
                    let price = ArchivePrices.price(of: sum.objects, bytes: sum.bytes, from: kind, request)
                else { continue }
                objects += sum.objects
                longest = max(longest, time)
                dollars += price
            }
            return objects > 0 ? Option(speed: speed, objects: objects, longest: longest, dollars: dollars) : nil
        }
    }
}
