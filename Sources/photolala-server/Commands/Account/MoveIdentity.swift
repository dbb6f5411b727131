import Accounts
import ArgumentParser
import Foundation
import Operators
import PhotolalaAPI
import ServiceWiring
import UseCases

/// Requests to move an identity to an account.
struct MoveIdentity: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move-identity", abstract: "Request to move a person's identity from another account to this one.",
        discussion: """
            Both accounts record the request and send an event. Another operator completes it a day later with \
            photolala-server account complete-move. Until then, ending all sessions of either account cancels it.
            """)

    @OptionGroup var move: MoveOptions

    @Option(help: ArgumentHelp("The provider of the identity.", valueName: "name"))
    var provider: String

    @Option(help: ArgumentHelp("The provider's id of the user.", valueName: "id"))
    var subject: String

    func validate() throws {
        guard ProviderName(provider) != nil else { throw ValidationError("invalid provider name: \(provider)") }
    }

    func run() async throws {
        guard let provider = ProviderName(provider) else { return }
        try await move.perform(.requestMove) { moves, user, key, reason in
            let requested = try await moves.request(provider, subject, to: user, by: key, reason: reason)
            print("requested move \(requested.move) of the identity at \(provider)")
            print("  from account  \(requested.from)")
            print("  to account    \(user)")
            print("Another operator can complete it from \(requested.effectiveAt.ISO8601Format()).")
        }
    }
}

/// Completes a requested move of an identity.
struct CompleteMove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "complete-move", abstract: "Complete the requested move of an identity to an account.",
        discussion: """
            Requires the key of an operator other than the one who requested the move, unless the person signed in with an \
            identity of each account for the request. Removes the identity from its account and ends the sessions that were \
            signed in with it.
            """)

    @OptionGroup var move: MoveOptions

    @Option(
        name: .customLong("move"),
        help: ArgumentHelp("The move, as account show prints it.", valueName: "id"))
    var id: String

    func validate() throws {
        guard UUID(uuidString: id) != nil else { throw ValidationError("invalid move id: \(id)") }
    }

    func run() async throws {
        guard let id = UUID(uuidString: id) else { return }
        try await move.perform(.completeMove) { moves, user, key, reason in
            let source = try await moves.complete(id, to: user, by: key, reason: reason)
            print("moved the identity from account \(source) to account \(user)")
        }
    }
}

/// Cancels a requested move of an identity.
struct CancelMove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel-move", abstract: "Cancel the requested move of an identity to an account.")

    @OptionGroup var move: MoveOptions

    func run() async throws {
        try await move.perform(.cancelMove) { moves, user, key, reason in
            try await moves.cancel(to: user, by: key, reason: reason)
            print("cancelled the move of an identity to account \(user)")
        }
    }
}

/// The arguments of the commands about moves.
struct MoveOptions: ParsableArguments {
    @OptionGroup var account: AccountChangeOptions

    @Option(help: ArgumentHelp("A file with your key of the operator API.", valueName: "file"))
    var keyFile: String

    /// Opens the store, authenticates the operator, records the call, and performs it.
    func perform(
        _ action: OperatorAction,
        _ change: (IdentityMoves, UserID, OperatorKey, OperatorReason) async throws -> Void
    ) async throws {
        try await account.open { store, settings, user, reason in
            let accounts = try await LiveStore.accounts(store.objects, settings)
            let logger = settings.log.makeLogger("photolala.account")
            let calls = OperatorCalls(store: store.objects, accounts: accounts, logger: logger)
            let moves = IdentityMoves(
                accounts: accounts,
                providerTokens: ProviderTokens(
                    store: store.objects, retry: LiveStore.retry, keyRing: accounts.keyRing, randomness: .system),
                calls: calls, logger: logger)
            do {
                let key = try await calls.authenticate(try readKey())
                try await calls.begin(action, by: key, on: user, reason: reason.text)
                try await change(moves, user, key, reason)
            } catch let refusal as OperatorCalls.Refusal {
                throw CommandRefusal(Self.text(refusal))
            } catch let refusal as IdentityMoves.Refusal {
                throw CommandRefusal(Self.text(refusal))
            }
        }
    }

    /// The maximum length of a file with a key, in bytes.
    private static let keyFileLimit = 64 << 10

    /// Returns the key in the file, which may be all that `operators create` printed.
    private func readKey() throws -> String? {
        let text: Data
        do throws(StartProblem) { text = try InputFile.bytes(of: keyFile, limit: Self.keyFileLimit) } catch {
            throw CommandRefusal(error.description)
        }
        return String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            .map(String.init).first { OperatorSecret($0) != nil }
    }

    private static func text(_ refusal: OperatorCalls.Refusal) -> String {
        switch refusal {
        case .unauthorized: "the key file contains no valid key. To create one:  photolala-server operators create"
        case .roleRequired(let role): "this requires a key with the role \(role.rawValue)"
        case .reasonRequired: "--reason must be 1 to 200 printable characters without line breaks"
        }
    }

    private static func text(_ refusal: IdentityMoves.Refusal) -> String {
        switch refusal {
        case .notLinked: "identity not found, or its link is not active"
        case .sameAccount: "the account already has this identity"
        case .accountClosed:
            "one of the accounts is disabled or erased, or the one that would get the identity is being deleted"
        case .inTeamTransfer: "the identity is in an Apple team transfer"
        case .lastProvider: "this is the only identity of its account. Schedule the deletion of that account first"
        case .tooManyLinks: "the account has reached the maximum number of identities"
        case .requested(let move): "a move to the account is already requested: \(move.uuidString.lowercased())"
        case .notRequested: "this move to the account is not requested, or it was stopped, has expired or is completed"
        case .unfinished(let move):
            "the identity has left its account. Complete move \(move.uuidString.lowercased()) again"
        case .tooEarly(let date): "the move can be completed from \(date.ISO8601Format())"
        case .secondOperatorRequired:
            "another operator must complete the move: a key with another name than that of the request"
        case .identityTaken:
            "the identity was linked to a third account after an interrupted attempt. The move is cancelled"
        }
    }
}
