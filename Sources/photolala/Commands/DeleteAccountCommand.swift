import ArgumentParser
import Foundation
import PhotolalaAPI
import PhotolalaClient

struct DeleteAccountCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete-account", abstract: "Delete your account with all photos, or cancel the deletion.",
        discussion: """
            Shows what is deleted and asks you to type DELETE. All devices are signed out at once. The data is deleted after a \
            few days (14 by default); until then, sign in and run --cancel, or use the undo code. Photos on this device are \
            kept. Requires authentication within the last 10 minutes: photolala reauthenticate

            The receipt code shows the state of the deletion and, at its end, a signed receipt; it needs no account.
            """
    )

    @Flag(help: "Show what a deletion removes, and whether one is scheduled.")
    var show = false

    @Flag(help: "Cancel the scheduled deletion.")
    var cancel = false

    @Option(help: "Cancel a scheduled deletion with its undo code, without signing in.")
    var undo: String?

    @Option(help: "Show the state and the receipt of the deletion with this receipt code.")
    var receipt: String?

    @Option(help: ArgumentHelp("Confirm without a terminal: DELETE.", valueName: "text"))
    var confirm: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        let chosen = [show, cancel, undo != nil, receipt != nil, confirm != nil].count { $0 }
        guard chosen <= 1 else {
            throw ValidationError("Use only one of --show, --cancel, --undo, --receipt and --confirm.")
        }
        try TextChecks.check(undo, of: "--undo", expects: "an undo code")
        try TextChecks.check(receipt, of: "--receipt", expects: "a receipt code")
    }

    func perform(_ context: CommandContext) async throws -> DeletionResult {
        let session = context.session
        if let undo {
            try await session.undoDeletion(code: undo)
            return DeletionResult(lines: ["The deletion is cancelled. Sign in to use the account:  photolala signin"])
        }
        if let receipt {
            return try await Self.found(receipt, session)
        }
        if cancel {
            let overview = try await session.cancelDeletion()
            return DeletionResult(overview: overview, lines: ["The deletion is cancelled."])
        }
        let overview = try await session.deletionOverview()
        if show || overview.deletion != nil { return Self.shown(overview) }
        let typed = try await confirmation(overview)
        guard typed == DeletionRequest.confirmationText else {
            throw CommandFailure("Not confirmed. Nothing was deleted.", status: .failed)
        }
        return Self.scheduled(try await session.deleteAccount(confirmation: typed))
    }

    private static func found(_ receiptCode: String, _ session: PhotolalaSession) async throws -> DeletionResult {
        do throws(PhotolalaError) {
            let status = try await session.deletionStatus(receiptCode: receiptCode)
            return DeletionResult(found: status, lines: [DeletionStrings.status(status)])
        } catch {
            guard error.code == .notFound else { throw error }
            throw CommandFailure("No deletion has this receipt code. Check that it is complete.", status: .failed)
        }
    }

    private func confirmation(_ overview: DeletionOverview) async throws -> String {
        if let confirm { return confirm }
        guard Confirmation.isPossible else {
            throw CommandFailure(
                "Confirmation requires a terminal. Nothing was deleted. To skip it, add --confirm DELETE.",
                status: .wrongUsage)
        }
        let lines = DeletionStrings.contents(overview) + [DeletionStrings.undoPeriod(overview.undoDays)]
        return await Confirmation.answer("\(lines.joined(separator: "\n"))\nType DELETE to delete your account: ") ?? ""
    }

    private static func shown(_ overview: DeletionOverview) -> DeletionResult {
        let notice = overview.deletion.map { [DeletionStrings.notice($0)] } ?? ["No deletion is scheduled."]
        let code = overview.receiptCode.map { ["Receipt code: \(Terminal.sanitized($0))"] } ?? []
        return DeletionResult(overview: overview, lines: notice + DeletionStrings.contents(overview) + code)
    }

    private static func scheduled(_ overview: DeletionOverview) -> DeletionResult {
        let date = overview.deletion.map { DateText.zonedMinute($0.erasesAt) } ?? ""
        return DeletionResult(
            overview: overview,
            lines: ["Your account will be deleted on \(date). You are signed out on all devices."]
                + DeletionStrings.contents(overview)
                + [
                    "Keep these codes; the undo code is secret.",
                    "To cancel the deletion until then:    "
                        + SuggestedCommand.text("photolala delete-account --undo=?", overview.undoCode ?? ""),
                    "To show its state and its receipt:    "
                        + SuggestedCommand.text("photolala delete-account --receipt=?", overview.receiptCode ?? ""),
                ])
    }
}

/// The result of a deletion command.
struct DeletionResult: CommandResult {
    var overview: DeletionOverview?
    var found: DeletionStatus?
    var lines: [String] = []

    private enum CodingKeys: String, CodingKey {
        case overview
        case found = "status"
    }

    var text: String { lines.joined(separator: "\n") }
}
