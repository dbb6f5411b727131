import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing

@Suite("Archived photos of a library") struct ArchiveTests {
    private static func withArchive(
        _ test: (ClientFixture, PhotolalaLibrary, ArchivingObjectStore) async throws -> Void
    ) async throws {
        try await ClientFixture.with(["POST /auth/signin": [ClientFixture.signedInAnswer()]]) { fixture in
            let session = try await fixture.signedIn()
            let clock = fixture.clock
            let store = ArchivingObjectStore(MemoryObjectStore { clock.now })
            let photos = fixture.folder.appendingPathComponent("photos")
            try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
            for name in ["a", "b", "c"] {
                let photo = Data([0xff, 0xd8, 0xff, 0xe0, 0, 16]) + Data(name.utf8)
                try photo.write(to: photos.appendingPathComponent("\(name).jpg"))
            }
            let library = PhotolalaLibrary(
                session: session, stateFolder: fixture.folder.appendingPathComponent("library").path,
                now: { clock.now },
                sendReserved: noReservedUploads
            ) { _, _ throws(PhotolalaError) in store }
            _ = try await library.backUp(photos).report
            try await store.archive(below: "photos/", 2)
            try await test(fixture, library, store)
        }
    }

    @Test("archived photos are reported separately, requested once and restored later")
    func restore() async throws {
        try await Self.withArchive { fixture, library, store in
            let target = fixture.folder.appendingPathComponent("restored")
            let first = try await library.restore(to: target).report
            #expect([first.restoredFiles, first.archived.count, first.askedBackFiles].elementsEqual([1, 2, 0]))
            #expect(first.failures.isEmpty && first.damagedFiles == 0 && !first.isComplete)
            #expect(first.archived.allSatisfy { $0.state == .archived } && first.comeAgainAfter == nil)
            #expect(store.acceptedRequests.isEmpty)

            var request = ArchiveRequest()
            (request.speed, request.days) = (.bulk, 3)
            let asked = try await library.restore(to: target, askingBack: request).report
            #expect(asked.askedBackFiles == 2 && asked.comeAgainAfter == 12 * 3600)
            #expect(asked.archived.allSatisfy { $0.state == .askedBack })
            #expect(store.acceptedRequests == Array(repeating: RetrievalRequest(speed: .bulk, days: 3), count: 2))
            let again = try await library.restore(to: target, askingBack: request).report
            #expect(again.askedBackFiles == 0 && again.archived.map(\.state) == [.onItsWay, .onItsWay])

            store.completeRestores()
            let last = try await library.restore(to: target, askingBack: request).report
            #expect(last.isComplete && last.restoredFiles == 2 && store.acceptedRequests.count == 2)
        }
    }

    @Test("a recall estimates, requests each archived photo once and downloads nothing")
    func recall() async throws {
        try await Self.withArchive { fixture, library, store in
            var request = ArchiveRequest()
            (request.speed, request.days) = (.bulk, 30)
            let estimate = try await library.recall(request, isDryRun: true).report
            #expect(estimate.isDryRun && estimate.days == 30 && estimate.isComplete)
            #expect([estimate.wantedFiles, estimate.readableFiles, estimate.archivedFiles].elementsEqual([3, 1, 2]))
            #expect(estimate.archivedBytes == 14 && estimate.askedBackFiles == 0)
            #expect(estimate.options.map(\.speed) == [.bulk, .standard, .expedited])
            #expect(estimate.options.map(\.hours) == [12, 5, 1] && estimate.options.map(\.files) == [2, 2, 2])
            #expect(estimate.options.last?.dollars == 0.0201)
            #expect(store.acceptedRequests.isEmpty)

            let asked = try await library.recall(request, where: filter(["a.jpg", "b.jpg", "c.jpg"])).report
            #expect(asked.askedBackFiles == 2 && asked.askedBackBytes == 14 && asked.comeAgainAfter == 12 * 3600)
            #expect(asked.options.isEmpty && asked.archivedFiles == 0 && asked.isComplete)
            #expect(store.acceptedRequests == Array(repeating: RetrievalRequest(speed: .bulk, days: 30), count: 2))
            let again = try await library.recall().report
            #expect(again.askedBackFiles == 0 && again.onItsWayFiles == 2 && again.comeAgainAfter == nil)
            store.completeRestores()
            #expect(try await library.recall().report.readableFiles == 3 && store.acceptedRequests.count == 2)
            let report = try JSONEncoder().encode(estimate)
            #expect(try JSONDecoder().decode(RecallReport.self, from: report) == estimate)
        }
    }

    @Test("a refused recall stops, and one of unknown photos or with too many days does not start")
    func refusedRecall() async throws {
        try await Self.withArchive { fixture, library, store in
            store.forcedOutcome.withLock { $0 = .failure(.denied("AccessDenied (HTTP 403)")) }
            let refused = try await library.recall().report
            #expect(refused.stopped != nil && !refused.isComplete && refused.askedBackFiles == 0)
            store.forcedOutcome.withLock { $0 = .success(.tierUnavailable) }
            let slow = try await library.recall().report
            #expect(slow.failures.count == 2 && slow.stopped == nil && !slow.isComplete)
            await expect(.notFound) { _ = try await library.recall(where: filter(["z.jpg"])).report }
            var request = ArchiveRequest()
            request.days = 366
            await expect(.invalidRequest) { _ = try await library.recall(request).report }
        }
    }

    @Test("a retrieval for less than 1 or more than 365 days is rejected")
    func days() async throws {
        try await Self.withArchive { fixture, library, store in
            for days in [0, -1, 366] {
                var request = ArchiveRequest()
                request.days = days
                await expect(.invalidRequest) {
                    _ = try await library.restore(to: fixture.folder, askingBack: request).report
                }
            }
            #expect(store.acceptedRequests.isEmpty)
        }
    }

    @Test("a dry run requests nothing, and a verification and a verifying backup report archived photos")
    func others() async throws {
        try await Self.withArchive { fixture, library, store in
            let target = fixture.folder.appendingPathComponent("restored")
            let dry = try await library.restore(to: target, askingBack: ArchiveRequest(), isDryRun: true).report
            #expect(dry.restoredFiles == 3 && dry.archived.isEmpty && store.acceptedRequests.isEmpty)
            let verified = try await library.verify(.all).report
            #expect([verified.checkedFiles, verified.archived.count].elementsEqual([1, 2]))
            #expect(verified.isSound && verified.failures.isEmpty)
            let nothing = try await library.verify(.all, where: filter(verified.archived)).report
            #expect(nothing.checkedFiles == 0 && !nothing.isSound)
            let photos = fixture.folder.appendingPathComponent("photos")
            let backup = try await library.backUp(photos, verifying: true).report
            #expect(backup.isComplete && backup.archivedFiles == 2 && backup.uploadedFiles == 0)
        }
    }

    private func filter(_ paths: [String]) -> PhotoFilter {
        var filter = PhotoFilter()
        filter.paths = paths
        return filter
    }
}
