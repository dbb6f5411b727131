import Accounts
import ArgumentParser

/// The option `--reason` of the commands that an account's audit log records.
enum ReasonArgument {
    static let help = ArgumentHelp(
        "Why, for the audit log: 1 to 200 printable characters. The account's owner can read it.", valueName: "text")

    static func check(_ text: String) throws {
        guard OperatorReason(text) != nil else {
            throw ValidationError(
                "--reason must be 1 to 200 printable characters with a letter or digit, without line breaks.")
        }
    }
}
