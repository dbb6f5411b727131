import Foundation
import PhotolalaAPI
import PhotolalaClient
import Testing

@testable import photolala

@Suite("Advice after an error") struct AdviceTests {
    private func options(_ provider: ProviderName) -> String { "--provider \(provider) --dev-user bob" }

    @Test("a sign-in that finds no account reports that no account was created and lists the next commands")
    func noAccount() throws {
        let lines = Advice.noAccount(provider: .google, hints: [], options: options)
        #expect(
            lines == [
                "No account was created.", "If you used another provider before, sign in with it:",
                "  photolala signin --provider apple --dev-user bob",
                "To also link google to that account (within 10 minutes, on this device):",
                "  photolala signin --provider apple --dev-user bob --link-pending",
                "To create an account:",
                "  photolala signup --pending   (within 10 minutes)   or   "
                    + "photolala signup --provider google --dev-user bob",
            ]
        )
    }

    @Test("a hint contains the provider of the account")
    func hint() {
        let hints = [AccountHint(provider: .apple)]
        let lines = Advice.noAccount(provider: .google, hints: hints) { "--provider \($0)" }
        #expect(lines.contains("You have an account with another provider:"))
        #expect(lines.contains("  photolala signin --provider apple"))
    }

    @Test(
        "the advice for an error contains only valid commands",
        arguments: [
            ErrorCode.notSignedIn, .localStateUnusable, .alreadySignedIn, .anotherServer, .quotaExceeded,
            .catalogDamaged, .accountAlreadyExists, .reauthenticationRequired, .lastProvider, .outcomeUnknown,
        ])
    func parsed(_ code: ErrorCode) throws {
        let lines =
            Advice.general(for: PhotolalaError(code: code, detail: ""))
            + Advice.noAccount(provider: .google, hints: [], options: options)
        let commands = CommandExamples.commands(in: lines.joined(separator: "\n"))
        #expect(!commands.isEmpty)
        for command in commands { #expect(CommandExamples.problem(of: command) == nil, "\(command)") }
    }

    @Test(
        "an unknown path has the command that lists what there is",
        arguments: [
            (FailureCode.notInLibrary, ["To list your photos:  photolala list"]),
            (.notInTrash, ["To list the trash:  photolala trash list"]), (nil, []),
        ])
    func unknownPath(_ cause: FailureCode?, _ advice: [String]) {
        let error = PhotolalaError(code: .notFound, detail: "", cause: cause.map { FailureCause($0) })
        #expect(Advice.general(for: error) == advice)
    }

    @Test func `an unknown path that is in the trash has the command that restores it`() {
        let cause = FailureCause(.inTrash, ["path": "2024/a b.jpg"])
        let advice = Advice.general(for: PhotolalaError(code: .notFound, detail: "", cause: cause))
        #expect(advice == ["To restore it:  photolala trash restore '2024/a b.jpg'"])
    }

    @Test("the advice for a purge, which takes minutes, is in its description")
    func purge() {
        let advice = { (code: FailureCode?) in
            Advice.general(
                for: PhotolalaError(code: .temporarilyUnavailable, detail: "", cause: code.map { FailureCause($0) }))
        }
        #expect(advice(.purgeInProgress) == [])
        #expect(advice(nil) == ["Try again in a moment."])
    }

    @Test(
        "errors whose description by the server names endpoints or header fields have one for users",
        arguments: [
            (ErrorCode.reauthenticationRequired, "Recent authentication is required. Use /auth/reauthenticate."),
            (.challengeRequired, "Request a challenge from /auth/challenge."),
            (.profileUnreadable, "Replace it with If-Match: *."),
        ])
    func details(_ code: ErrorCode, _ detail: String) {
        let failure = CommandFailure.wrapping(PhotolalaError(code: code, status: 403, detail: detail))
        #expect(!failure.error.detail.isEmpty && failure.error.code == code)
        for word in ["/auth", "If-Match"] { #expect(!failure.error.detail.contains(word)) }
        let kept = CommandFailure.wrapping(PhotolalaError(code: .rateLimited, status: 429, detail: "Wait 5 s."))
        #expect(kept.error.detail == "Wait 5 s.")
    }

    @Test(arguments: ["signup", "signin", nil])
    func `without a terminal the advice contains a device code for the current command`(_ command: String?) {
        let lines = Advice.withoutTerminal(codeCommand: command)
        let commands = CommandExamples.commands(in: lines.joined(separator: "\n"))
        #expect(commands == (command.map { ["photolala \($0) --device-code"] } ?? []))
        for command in commands { #expect(CommandExamples.problem(of: command) == nil) }
    }
}
