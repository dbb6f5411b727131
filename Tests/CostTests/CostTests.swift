import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// `docs/costs.md` compared with the requests that reach S3.
@Suite struct CostTests {
    @Test("every operation makes the S3 requests in the document, cold and warm", arguments: CostedOperation.all)
    func operation(_ operation: CostedOperation) async throws {
        let warm = try await CostFixture.make(tellsEvents: operation.tellsEvents)
        let act = try await operation.prepare(warm.service)
        try await warm.pass(60)
        let counts = try await warm.count { try await act(warm.service) }
        let cold = try await CostFixture.make(tellsEvents: operation.tellsEvents)
        let actCold = try await operation.prepare(cold.service)
        try await cold.pass(60)
        let first = try await cold.count { try await actCold(try await cold.start()) }
        // A start reads, and lists the deleted accounts.
        #expect((first - counts).numbers.dropFirst() == [operation.isMarked ? 1 : 0, 1, 0])
        try CostDocument().expect(
            operation.description, counts.numbers + [Double(first.get), counts.priceOfMillion])
    }

    @Test("the document has no row without a measurement")
    func rows() throws {
        let jobs = CostedJob.all.flatMap { $0.runsPerDay == nil ? [$0.description] : [$0.description, $0.day] }
        #expect(
            try CostDocument().names
                == Set(CostedOperation.all.map(\.description) + jobs + ArchiveCostTests.prices.map(\.name)))
    }

    @Test("every job makes the S3 requests per account in the document", arguments: CostedJob.all)
    func job(_ job: CostedJob) async throws {
        let few = try await Self.run(job, accounts: 2)
        let many = try await Self.run(job, accounts: 12)
        let more = many - few
        let each = more.numbers.map { $0 / 10 }
        // Costs that do not grow with the number of accounts: the first page of each listing, the service's own
        // objects.
        let once = zip(few.numbers, each).map { $0 - 2 * $1 }
        try CostDocument().expect(job.description, once + each + [Self.price(each)])
        guard let runs = job.runsPerDay else { return }
        let days = [1e3, 1e6].map { runs * (Self.price(once) + $0 * Self.price(each)) / 1e6 }
        try CostDocument().expect(job.day, [runs] + days)
    }

    /// Returns dollars for a million times these requests.
    private static func price(_ counts: [Double]) -> Double { 5 * (counts[1] + counts[2]) + 0.4 * counts[0] }

    private static func run(_ job: CostedJob, accounts: Int) async throws -> CountingBucket.Counts {
        let fixture = try await CostFixture.make(tellsEvents: job.tellsEvents)
        for number in 0..<accounts {
            let person = try await fixture.service.signUp(.apple, "person-\(number)", name: "P", device: 1 + number)
            let photo = StorageLayout.photo(person.user.serviceUserID, md5: String(repeating: "a", count: 32))
            try await fixture.store.put(ObjectKey(known: photo), ByteBuffer(string: "photo"), if: .always)
        }
        // Measures the second run of a job, which has more to write. By then leases have expired, and markers and links
        // are old.
        _ = try await job.run(fixture)
        try await fixture.pass(90_000)
        return try await job.run(fixture)
    }
}
