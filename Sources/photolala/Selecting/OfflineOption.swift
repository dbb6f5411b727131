import ArgumentParser
import Foundation
import PhotolalaClient

/// The option to read this device's copy of the catalog.
struct OfflineOption: ParsableArguments {
    @Flag(help: "Read this device's copy of the catalog, without a connection.")
    var offline = false

    /// Performs a command, and prints the date of the copy that it read. Without a connection, the error names the option.
    func reading<Value>(
        _ context: CommandContext, _ work: () async throws -> Value
    ) async throws -> Value {
        do {
            let value = try await work()
            if offline, let date = try await context.library.catalogCopyDate() {
                Terminal.writeNotice("Offline: the library as of \(DateText.minute(date)).")
            }
            return value
        } catch let error as PhotolalaError {
            guard !offline, Self.isDisconnected(error.code), let date = try? await context.library.catalogCopyDate()
            else { throw error }
            throw CommandFailure(
                error,
                advice: Advice.general(for: error) + [
                    "To read this device's copy of \(DateText.minute(date)), add --offline."
                ])
        }
    }

    private static func isDisconnected(_ code: ErrorCode) -> Bool {
        [.serverUnreachable, .noResponse, .temporarilyUnavailable, .photoStoreFailed].contains(code)
    }
}
