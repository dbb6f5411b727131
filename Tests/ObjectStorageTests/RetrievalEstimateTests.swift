import ObjectStorage
import Testing

@Suite struct RetrievalEstimateTests {
    private static let gigabyte: Int64 = 1 << 30

    private func isAbout(_ one: Double?, _ other: Double) -> Bool { one.map { abs($0 - other) < 1e-9 } ?? false }

    @Test("a gigabyte in 1,000 objects costs its requests, its bytes and its copy")
    func deep() {
        var estimate = RetrievalEstimate()
        for _ in 0..<1000 { estimate.add(.deep, bytes: Self.gigabyte / 1000) }
        #expect(estimate.objects == 1000 && estimate.bytes == Self.gigabyte / 1000 * 1000)
        let options = estimate.options(days: 30)
        #expect(options.map(\.speed) == [.bulk, .standard])
        #expect(options.map(\.longest) == [.seconds(48 * 3600), .seconds(12 * 3600)])
        let gigabytes = Double(estimate.bytes) / Double(Self.gigabyte)
        #expect(isAbout(options.first?.dollars, gigabytes * 0.0025 + 0.025 + gigabytes * 0.023))
        #expect(isAbout(options.last?.dollars, gigabytes * 0.02 + 0.1 + gigabytes * 0.023))
        let week = estimate.options(days: 7)
        #expect(isAbout(week.last?.dollars, gigabytes * 0.02 + 0.1 + gigabytes * 0.023 * 7 / 30))
    }

    @Test("a tier of S3 Intelligent-Tiering has no copies, and only its fastest speed costs")
    func tiered() {
        let estimate = RetrievalEstimate(.tiered, bytes: Self.gigabyte)
        let options = estimate.options(days: 365)
        #expect(options.map(\.speed) == [.bulk, .standard, .expedited] && !estimate.expiresCopies)
        #expect(options.prefix(2).allSatisfy { $0.dollars == 0 })
        #expect(isAbout(options.last?.dollars, 0.03 + 0.01))
    }

    @Test("a speed that some archives lack counts only the objects of the others")
    func mixed() {
        var estimate = RetrievalEstimate(.flexible, bytes: Self.gigabyte)
        estimate.add(.deep, bytes: Self.gigabyte)
        let options = estimate.options(days: 1)
        #expect(options.map(\.objects) == [2, 2, 1])
        #expect(options.map(\.longest) == [.seconds(48 * 3600), .seconds(12 * 3600), .seconds(300)])
        #expect(estimate.expiresCopies && RetrievalEstimate().options(days: 1).isEmpty)
    }

    @Test("sizes are capped, and a negative one counts nothing")
    func extremes() {
        var estimate = RetrievalEstimate(.flexible, bytes: .max)
        estimate.add(.flexible, bytes: .max)
        estimate.add(.deep, bytes: .max)
        #expect(estimate.bytes == .max && estimate.objects == 3)
        #expect(RetrievalEstimate(.deep, bytes: -5).bytes == 0)
    }

    @Test("a restoration whose speed is unknown takes at most as long as the slowest")
    func unknownSpeed() {
        #expect(ArchiveKind.flexible.maximumDuration == .seconds(12 * 3600))
        #expect(ArchiveKind.tieredDeep.maximumDuration == .seconds(48 * 3600))
    }
}
