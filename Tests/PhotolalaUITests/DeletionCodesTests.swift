import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing

@testable import PhotolalaUI

@MainActor
@Suite struct DeletionCodesTests {
    private static let (undo, receipt) = ("POST /account/deletion/undo", "POST /account/deletion/receipt")
    private static let done: FakeServer.Response = FakeServer.json(EmptyBody())

    private static func with(
        _ script: [String: [FakeServer.Response]],
        _ test: @escaping @MainActor @Sendable (ScreenFixture, DeletionCodesModel) async throws -> Void
    ) async throws {
        try await ScreenFixture.with(script) { try await test($0, DeletionCodesModel($0.context)) }
    }

    @Test("the undo code cancels the deletion without a sign-in")
    func undo() async throws {
        try await Self.with([Self.undo: [Self.done]]) { fixture, model in
            model.undoCode = "  undo\n"
            model.cancelDeletion()
            model.cancelDeletion()
            #expect(model.state == .working)
            await model.wait()
            #expect(model.state == .cancelled && model.failure == nil)
            let sent = fixture.client.server.requests("/account/deletion/undo")
            #expect(sent.count == 1, "a second tap does nothing")
            #expect(sent.first?.text == #"{"undoCode":"undo"}"#)
        }
    }

    @Test(
        "the receipt code shows the state, and can be entered again",
        arguments: [
            DeletionState.active, .scheduled, .erasing, .completed, .nothingStored, DeletionState(rawValue: "new"),
        ])
    func status(state: DeletionState) async throws {
        let status = DeletionStatus(
            state: state, erasesAt: state == .scheduled ? ClientFixture.start : nil,
            receipt: state == .completed ? "jws" : nil)
        let answers = [FakeServer.problem(.temporarilyUnavailable, 503), FakeServer.json(status)]
        try await Self.with([Self.receipt: answers]) { _, model in
            model.receiptCode = "receipt"
            model.showStatus()
            await model.wait()
            #expect(model.state == .ready && model.failure?.code == .temporarilyUnavailable)
            model.showStatus()
            await model.wait()
            #expect(model.state == .status(status) && model.failure == nil)
            let text = ScreenTexts(languages: ["en"]).sentence(about: status)
            #expect(!text.isEmpty && !text.contains("{"))
            #expect((text == state.rawValue) == (state.rawValue == "new"), "\(text)")
        }
    }

    @Test("a wrong or missing code is reported as such", arguments: ["wrong", " \n"])
    func wrong(typed: String) async throws {
        let script = [
            Self.undo: [FakeServer.problem(.noDeletionScheduled, 409)],
            Self.receipt: [FakeServer.problem(.notFound, 404)],
        ]
        try await Self.with(script) { fixture, model in
            (model.undoCode, model.receiptCode) = (typed, typed)
            model.cancelDeletion()
            await model.wait()
            #expect(model.state == .ready && model.failure == .wrongCode)
            model.showStatus()
            #expect(model.failure == nil)
            await model.wait()
            #expect(model.state == .ready && model.failure == .wrongCode)
            let calls = fixture.count("/account/deletion/undo") + fixture.count("/account/deletion/receipt")
            #expect(calls == (typed == "wrong" ? 2 : 0))
        }
    }
}
