import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing

@testable import PhotolalaUI

@MainActor
@Suite struct MigrationTests {
    private static func loaded(_ fixture: LibraryFixture) async -> MigrationModel {
        let model = MigrationModel(library: fixture.library, folders: fixture.folders)
        model.load()
        await model.wait()
        return model
    }

    private static func estimated(_ model: MigrationModel) async throws -> MigrationEstimate {
        model.estimate()
        await model.wait()
        guard case .estimated(let estimate) = model.state else {
            throw ConformanceFailure("\(model.state) \(String(describing: model.failure))")
        }
        return estimate
    }

    @Test("everything is selected at first; an estimate follows the selection")
    func selection() async throws {
        try await LibraryFixture.with { fixture in
            let model = await Self.loaded(fixture)
            #expect(model.state == .selecting && model.unfinished == nil)
            #expect(model.selectedFolders == Set(fixture.folders))
            let all = try await Self.estimated(model)
            #expect(all.waitingFiles == 3)
            model.setFolder(fixture.folders[1], isSelected: false)
            #expect(model.selectedFolders.count == 2, "an estimate has a fixed selection")
            model.startOver()
            await model.wait()
            model.setFolder(fixture.folders[1], isSelected: false)
            model.setFolder(fixture.screen.client.folder, isSelected: true)
            #expect(model.selectedFolders == [fixture.folders[0]])
            for (kind, other) in [(MigrationModel.Kind.photos, MigrationModel.Kind.videos), (.videos, .photos)] {
                model.setKind(kind, isSelected: true)
                model.setKind(other, isSelected: false)
                let estimate = try await Self.estimated(model)
                #expect(estimate.files == 1, "\(kind)")
                model.startOver()
                await model.wait()
            }
        }
    }

    @Test("without folders or kinds there is no estimate")
    func nothingSelected() async throws {
        try await LibraryFixture.with { fixture in
            let model = await Self.loaded(fixture)
            for kind in MigrationModel.Kind.allCases { model.setKind(kind, isSelected: false) }
            model.estimate()
            model.upload()
            model.resume()
            model.startOver()
            await model.wait()
            #expect(!model.canEstimate && model.state == .selecting && fixture.store.opened.withLock { $0 } == 0)
        }
    }

    @Test("the upload follows the estimate, and a second tap uploads nothing")
    func upload() async throws {
        try await LibraryFixture.with { fixture in
            let model = await Self.loaded(fixture)
            let estimate = try await Self.estimated(model)
            #expect(estimate.missingBytes == 0 && estimate.unreadable.isEmpty && estimate.seconds == nil)
            let opened = fixture.store.opened.withLock { $0 }
            model.upload()
            model.upload()
            model.startOver()
            #expect(model.state == .uploading(estimate))
            await model.wait()
            guard case .finished(let result) = model.state else { throw ConformanceFailure("\(model.state)") }
            #expect(result.isComplete && result.uploadedFiles == 3 && result.uploadedBytes == estimate.waitingBytes)
            #expect(result.failures.isEmpty && result.stopped == nil && model.progress.finishedFiles == 3)
            #expect(fixture.store.opened.withLock { $0 } - opened == fixture.folders.count)
            model.startOver()
            await model.wait()
            #expect(model.unfinished == nil)
            let rest = try await Self.estimated(model)
            #expect(rest.waitingFiles == 0)
        }
    }

    @Test("what exceeds the quota is estimated, not uploaded and reported")
    func quota() async throws {
        try await LibraryFixture.with(limit: 20) { fixture in
            let model = await Self.loaded(fixture)
            let estimate = try await Self.estimated(model)
            #expect(estimate.missingBytes == estimate.waitingBytes - 20 && estimate.missingBytes > 0)
            model.upload()
            await model.wait()
            guard case .finished(let result) = model.state else { throw ConformanceFailure("\(model.state)") }
            #expect(!result.isComplete && result.uploadedFiles < 3 && !result.failures.isEmpty)
        }
    }
}
