import ArgumentParser
import Foundation

/// Signs all devices of an account out.
struct EndSessions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end-sessions", abstract: "Sign all devices of an account out.")

    @OptionGroup var account: AccountChangeOptions

    func run() async throws {
        try await account.perform { support, user, reason in
            try await support.endSessions(of: user, reason: reason)
            print("ended all sessions of account \(user)")
        }
    }
}

/// Schedules the deletion of an account.
struct DeleteAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Schedule the deletion of an account and end its sessions.",
        discussion: """
            The account's owner can sign in and cancel it until the date that the command prints, unless the account is \
            disabled.
            """)

    @OptionGroup var account: AccountChangeOptions

    @Option(help: ArgumentHelp("The account id again, as confirmation.", valueName: "user"))
    var confirm: String

    func validate() throws {
        guard confirm.lowercased() == account.user.lowercased() else {
            throw ValidationError("--confirm must repeat the account id. Nothing was deleted.")
        }
    }

    func run() async throws {
        try await account.perform { support, user, reason in
            let deletion = try await support.scheduleDeletion(of: user, reason: reason)
            print("scheduled the deletion of account \(user)")
            print("  erases        \(deletion.erasesAt.ISO8601Format())")
            print("  receipt code  \(deletion.receiptCode)")
            if deletion.isDisabled {
                print("The account is disabled: its owner cannot sign in and cancel the deletion.")
            }
        }
    }
}

/// Cancels the scheduled deletion of an account.
struct UndeleteAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undelete", abstract: "Cancel the scheduled deletion of an account.",
        discussion: "Its owner must sign in again: ended sessions are not restored.")

    @OptionGroup var account: AccountChangeOptions

    func run() async throws {
        try await account.perform { support, user, reason in
            try await support.cancelDeletion(of: user, reason: reason)
            print("cancelled the deletion of account \(user)")
        }
    }
}

/// Places a legal hold on an account.
struct HoldAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold",
        abstract: "Place a legal hold on an account: until it is released, deletions erase nothing.",
        discussion: """
            The owner can still sign in, delete single photos, and schedule or cancel the deletion of the account.
            """)

    @OptionGroup var account: AccountChangeOptions

    func run() async throws {
        try await account.perform { support, user, reason in
            try await support.placeHold(on: user, reason: reason)
            print("placed a legal hold on account \(user)")
        }
    }
}

/// Releases the legal hold of an account.
struct ReleaseAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release", abstract: "Release the legal hold of an account.",
        discussion: "A deletion whose date has passed begins at the next run of the deletions job.")

    @OptionGroup var account: AccountChangeOptions

    func run() async throws {
        try await account.perform { support, user, reason in
            let date = try await support.releaseHold(of: user, reason: reason)
            print("released the legal hold of account \(user)")
            if let date {
                print("  erases  \(date > Date() ? date.ISO8601Format() : "at the next run of the deletions job")")
            }
        }
    }
}

/// Disables an account.
struct DisableAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Disable an account: end its sessions and refuse sign-ins to it.",
        discussion: """
            Nothing is deleted, and its identities stay linked. S3 credentials and presigned URLs that were already issued \
            remain valid until they expire. A scheduled deletion or unlinking still takes place, and the owner cannot sign \
            in to cancel it.
            """)

    @OptionGroup var account: AccountChangeOptions

    func run() async throws {
        try await account.perform { support, user, reason in
            try await support.disable(user, reason: reason)
            print("disabled account \(user)")
        }
    }
}

/// Enables a disabled account.
struct EnableAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Enable a disabled account.",
        discussion: "Its owner must sign in again: ended sessions are not restored.")

    @OptionGroup var account: AccountChangeOptions

    func run() async throws {
        try await account.perform { support, user, reason in
            try await support.enable(user, reason: reason)
            print("enabled account \(user)")
        }
    }
}
