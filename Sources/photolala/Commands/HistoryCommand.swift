import ArgumentParser
import PhotolalaAPI
import PhotolalaClient

struct HistoryCommand: PhotolalaCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show the audit log of your account."
    )

    @Option(help: "Number of entries to show, newest first.")
    var limit = 50

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be at least 1.") }
    }

    func perform(_ context: CommandContext) async throws -> HistoryResult {
        let own = try await context.session.device().id
        var entries: [AuditRecord] = []
        var before: Int?
        repeat {
            let page = try await context.session.history(before: before, limit: min(limit - entries.count, 200))
            entries += page.entries
            before = page.next
        } while before != nil && entries.count < limit
        return HistoryResult(entries: Array(entries.prefix(limit)), device: own)
    }
}

/// The account's audit events, newest first.
struct HistoryResult: CommandResult {
    let entries: [AuditRecord]
    /// The device that runs the command.
    let device: DeviceID

    var text: String {
        entries.map { entry in
            var parts = [DateText.minute(entry.at), HistoryStrings.text(entry.act)]
            if let target = entry.targetDeviceID { parts.append(name(target, entry.targetDeviceName)) }
            if let provider = entry.provider { parts.append("(\(provider))") }
            if let id = entry.deviceID { parts.append("on \(name(id, entry.deviceName))") }
            if let country = entry.country { parts.append("from \(CountryText.name(country))") }
            if let reason = entry.reason { parts.append("reason: \(Terminal.sanitized(reason))") }
            return parts.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    private func name(_ id: DeviceID, _ name: String?) -> String {
        let known = name.map { "“\(Terminal.sanitized($0))”" } ?? "\(id)"
        return id == device ? "\(known), this device" : known
    }
}
