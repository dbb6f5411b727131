import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotolalaUI

@MainActor
@Suite struct DeleteAccountTests {
    nonisolated static func overview(isScheduled: Bool) -> DeletionOverview {
        let nothing = StoredObjects(bytes: 0, objects: 0)
        return DeletionOverview(
            deletion: isScheduled
                ? AccountDeletion(requestedAt: ClientFixture.start, erasesAt: ClientFixture.start + 86_400) : nil,
            undoDays: 1,
            contents: UsageByKind(photos: nothing, thumbnails: nothing, catalogs: nothing, data: nothing),
            countedAt: nil, subscriptions: [], receiptCode: isScheduled ? "receipt" : nil,
            undoCode: isScheduled ? "undo" : nil)
    }

    private static func loaded(
        _ script: [String: [FakeServer.Response]],
        _ test: @escaping @MainActor @Sendable (ScreenFixture, DeleteAccountModel) async throws -> Void
    ) async throws {
        let base = ["GET /account/deletion": [FakeServer.json(overview(isScheduled: false))]]
        try await ScreenFixture.signedIn(base.merging(script) { _, own in own }) { fixture in
            let model = DeleteAccountModel(fixture.context)
            model.flow.load()
            await model.flow.wait()
            try await test(fixture, model)
        }
    }

    @Test("only the exact text deletes the account", arguments: ["", "delete", "DELETE ", "LÖSCHEN"])
    func confirmation(typed: String) async throws {
        try await Self.loaded([:]) { fixture, model in
            model.typed = typed
            model.delete()
            await model.flow.wait()
            #expect(model.flow.state == .ready && model.flow.failure == .wrongConfirmation)
            #expect(model.scheduled == nil && fixture.count("/account/deletion") == 1, "only the overview was read")
        }
    }

    @Test("the codes stay on the screen until the person continues; then the device's data is removed")
    func delete() async throws {
        let answers = [
            FakeServer.problem(.reauthenticationRequired, 403), FakeServer.json(Self.overview(isScheduled: true)),
        ]
        try await Self.loaded(["POST /account/deletion": answers]) { fixture, model in
            model.typed = "DELETE"
            model.delete()
            model.delete()
            await model.flow.wait()
            #expect(model.flow.state == .verifying(.delete, with: [.apple]))
            model.flow.verify(with: .apple)
            await model.flow.wait()
            #expect(model.flow.state == .finished)
            #expect(model.scheduled?.undoCode == "undo" && model.scheduled?.receiptCode == "receipt")
            model.flow.load()
            model.flow.dismiss()
            #expect(model.flow.state == .finished, "nothing hides the codes")
            let user = try await fixture.session.signedInUserID()
            #expect(user == nil)
            model.flow.start(.removeLocalData)
            await model.flow.wait()
            #expect(model.flow.state == .signedOut && model.scheduled == nil)
        }
    }

    @Test("what the app keeps is removed before the SDK's data, and again after a failure")
    func removal() async throws {
        let overview = FakeServer.json(Self.overview(isScheduled: false))
        try await ScreenFixture.signedIn(["GET /account/deletion": [overview]]) { fixture in
            let calls = Mutex(0)
            let context = fixture.context.removing { () throws(PhotolalaError) in
                let isFirst = calls.withLock { calls in
                    calls += 1
                    return calls == 1
                }
                if isFirst { throw PhotolalaError(code: .localStorageFailed, detail: "full") }
            }
            let model = DeleteAccountModel(context)
            model.flow.load()
            await model.flow.wait()
            for isLast in [false, true] {
                model.flow.start(.removeLocalData)
                await model.flow.wait()
                let user = try await fixture.session.signedInUserID()
                #expect((user == nil) == isLast && (model.flow.failure == nil) == isLast)
            }
            #expect(calls.withLock { $0 } == 2)
        }
    }

    @Test(
        "a refused deletion deletes nothing and can be repeated",
        arguments: [.identityTooNew, .accountDeleting, .temporarilyUnavailable] as [ErrorCode])
    func refused(code: ErrorCode) async throws {
        let answers = [FakeServer.problem(code, 409), FakeServer.json(Self.overview(isScheduled: true))]
        try await Self.loaded(["POST /account/deletion": answers]) { fixture, model in
            model.typed = "DELETE"
            model.delete()
            await model.flow.wait()
            #expect(model.flow.state == .ready && model.flow.failure?.code == code && model.scheduled == nil)
            let user = try await fixture.session.signedInUserID()
            #expect(user == ClientFixture.user)
            model.delete()
            await model.flow.wait()
            #expect(model.flow.state == .finished && model.flow.failure == nil)
        }
    }

    @Test("a scheduled deletion is shown and can be cancelled")
    func cancel() async throws {
        let script = [
            "GET /account/deletion": [FakeServer.json(Self.overview(isScheduled: true))],
            "DELETE /account/deletion": [
                FakeServer.problem(.noDeletionScheduled, 409), FakeServer.json(Self.overview(isScheduled: false)),
            ],
        ]
        try await Self.loaded(script) { _, model in
            for code in [ErrorCode.noDeletionScheduled, nil] {
                #expect(model.overview?.deletion != nil)
                model.flow.start(.cancelDeletion)
                await model.flow.wait()
                #expect(model.flow.state == .ready && model.flow.failure?.code == code)
            }
            #expect(model.overview?.deletion == nil)
        }
    }

    @Test("a deletion that was sent cannot be cancelled, so that its codes are shown")
    func tooLate() async throws {
        let (arrived, end) = (Gate(), Gate())
        let answer = FakeServer.delayed(arrived, until: end, FakeServer.json(Self.overview(isScheduled: true)))
        try await Self.loaded(["POST /account/deletion": [answer]]) { _, model in
            model.typed = "DELETE"
            #expect(model.flow.canCancel)
            model.delete()
            await arrived.wait()
            #expect(!model.flow.canCancel)
            model.flow.cancel()
            end.open()
            await model.flow.wait()
            #expect(model.flow.state == .finished && model.scheduled?.undoCode == "undo" && model.flow.canCancel)
        }
    }

    @Test("a deletion is not sent if it was cancelled during the verification")
    func inTime() async throws {
        let answers = [
            FakeServer.problem(.reauthenticationRequired, 403), FakeServer.json(Self.overview(isScheduled: true)),
        ]
        try await Self.loaded(["POST /account/deletion": answers]) { fixture, model in
            model.typed = "DELETE"
            model.delete()
            await model.flow.wait()
            let sent = fixture.count("/account/deletion")
            let (arrived, end) = (Gate(), Gate())
            fixture.providers.hold(arrived, until: end)
            model.flow.verify(with: .apple)
            await arrived.wait()
            #expect(model.flow.canCancel)
            model.flow.cancel()
            end.open()
            await model.flow.wait()
            #expect(fixture.count("/account/deletion") == sent && model.scheduled == nil)
        }
    }
}
