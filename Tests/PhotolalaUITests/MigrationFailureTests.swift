import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing

@testable import PhotolalaUI

/// Failures, cancellation and the end of the session during a migration.
@MainActor
@Suite struct MigrationFailureTests {
    private static func model(_ fixture: LibraryFixture) async -> MigrationModel {
        let model = MigrationModel(library: fixture.library, folders: fixture.folders)
        model.load()
        await model.wait()
        return model
    }

    private static func failing(_ code: ErrorCode, _ fixture: LibraryFixture) {
        fixture.store.failures.withLock { $0 = [PhotolalaError(code: code, detail: "d")] }
    }

    @Test("after a failed estimate the person can try again, and after the end of the session signs in")
    func estimate() async throws {
        try await LibraryFixture.with { fixture in
            let model = await Self.model(fixture)
            for code in [ErrorCode.serverUnreachable, .sessionEnded] {
                Self.failing(code, fixture)
                model.estimate()
                #expect(model.state == .estimating)
                await model.wait()
                #expect(model.state == (code == .sessionEnded ? .signedOut : .selecting))
                #expect(code == .sessionEnded || model.failure?.code == code)
            }
            model.estimate()
            #expect(model.state == .signedOut)
            model.load()
            await model.wait()
            #expect(model.state == .selecting && model.failure == nil)
        }
    }

    @Test("a failed upload keeps the estimate, and uploading again succeeds")
    func upload() async throws {
        try await LibraryFixture.with { fixture in
            let model = await Self.model(fixture)
            model.estimate()
            await model.wait()
            let estimated = model.state
            Self.failing(.serverUnreachable, fixture)
            model.upload()
            await model.wait()
            #expect(model.state == estimated && model.failure?.code == .serverUnreachable)
            model.upload()
            await model.wait()
            guard case .finished(let result) = model.state else { throw ConformanceFailure("\(model.state)") }
            #expect(result.isComplete && model.failure == nil)
        }
    }

    @Test("a session that ends during the upload leads to the welcome screen")
    func signedOut() async throws {
        try await LibraryFixture.with(["POST /auth/signout": [FakeServer.nothing]]) { fixture in
            let model = await Self.model(fixture)
            model.estimate()
            await model.wait()
            try await fixture.screen.session.signOut()
            model.upload()
            await model.wait()
            #expect(model.state == .signedOut)
        }
    }

    @Test("a cancelled upload is offered again with its selection, also after a restart of the app")
    func cancel() async throws {
        try await LibraryFixture.with { fixture in
            let model = await Self.model(fixture)
            model.setKind(.videos, isSelected: false)
            model.estimate()
            await model.wait()
            let (arrived, end) = (Gate(), Gate())
            fixture.store.hold.withLock { $0 = (arrived, end) }
            model.upload()
            await arrived.wait()
            model.cancel()
            await model.wait()
            #expect(model.state == .selecting && model.failure == nil && model.unfinished?.completedAt == nil)
            fixture.store.hold.withLock { $0 = nil }
            let restarted = await Self.model(fixture)
            #expect(restarted.unfinished?.filter.kinds == [.photo, .sidecar])
            restarted.resume()
            await restarted.wait()
            guard case .estimated(let estimate) = restarted.state else {
                throw ConformanceFailure("\(restarted.state)")
            }
            #expect(estimate.files == 2)
            restarted.upload()
            await restarted.wait()
            restarted.startOver()
            await restarted.wait()
            #expect(restarted.state == .selecting && restarted.unfinished == nil)
        }
    }

    @Test("an unreadable record of an earlier migration is shown and does not prevent a new one")
    func unreadable() async throws {
        try await LibraryFixture.with { fixture in
            let folder = fixture.screen.client.folder.appendingPathComponent("library")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("{}".utf8).write(to: folder.appendingPathComponent("migration-\(ClientFixture.user).json"))
            let model = await Self.model(fixture)
            #expect(model.state == .selecting && model.failure?.code == .folderUnusable && model.canEstimate)
            model.estimate()
            await model.wait()
            #expect(model.failure == nil)
        }
    }

    @Test("a cancelled estimate returns to the selection without a failure")
    func cancelledEstimate() async throws {
        try await LibraryFixture.with { fixture in
            let model = await Self.model(fixture)
            let (arrived, end) = (Gate(), Gate())
            fixture.store.hold.withLock { $0 = (arrived, end) }
            model.estimate()
            await arrived.wait()
            model.estimate()
            model.cancel()
            await model.wait()
            #expect(model.state == .selecting && model.failure == nil && fixture.store.opened.withLock { $0 } == 1)
        }
    }
}
