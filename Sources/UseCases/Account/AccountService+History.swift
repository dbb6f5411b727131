import Accounts
import PhotolalaAPI
import Sessions

extension AccountService {
    /// The most entries on a page.
    package static let maximumHistoryPage = 200

    /// Returns a page of the caller's audit log, the latest entry first. Throws `notFound` for another account. The
    /// first page also has the pending audit events of devices. A pending event enters the log after those that were
    /// logged while it was pending, so it can be on an earlier page than events that it precedes. Costs a list of
    /// devices (`DeviceDirectory.list`), a read for each entry and, on the first page, one for each device that may
    /// have pending events.
    /// - Parameters:
    ///   - before: only log entries with a smaller sequence number.
    ///   - limit: the most log entries to return.
    package func history(
        _ id: UserID, before: Int?, limit: Int, caller: Caller
    ) async throws(ServiceError) -> AuditPage {
        guard id == caller.user else { throw .notFound }
        guard before ?? 1 >= 1 else { throw .invalidRequest("before must be at least 1.") }
        guard (1...Self.maximumHistoryPage).contains(limit) else {
            throw .invalidRequest("limit must be 1 to \(Self.maximumHistoryPage).")
        }
        return try await mapServiceErrors {
            // Reads devices first: events that are flushed during the call are in the account that is read afterwards.
            let devices = try await deviceList.listedDevices(of: id)
            let devicesWithEvents = before == nil ? devices.filter(\.hasActs).map(\.id) : []
            let records = try await sessions.devices.records(devicesWithEvents, of: id)
            guard let account = try await accounts.account(id)?.value else { throw ServiceError.sessionEnded }
            let entries = try await accounts.history(of: account, before: before, limit: limit)
            let names = Dictionary(devices.map { ($0.id, $0.name) }) { first, _ in first }
            let pending = Self.pendingEntries(records, account)
            let oldest = min(account.audit.sequence + 1, before ?? .max) - limit
            let shown = pending.map { AuditRecord($0, names) } + entries.map { AuditRecord($0, names) }
            return AuditPage(entries: shown.latestFirst(), next: oldest > 1 ? oldest : nil)
        }
    }

    /// Returns pending audit events that are not in the audit log, the latest of each device first.
    private static func pendingEntries(_ records: [DeviceRecord], _ account: AccountDocument) -> [DeviceAuditEvent] {
        records.flatMap { account.audit.unflushedEvents(DeviceAuditEvents($0.id, $0)) }.reversed()
    }
}

extension [AuditRecord] {
    /// Sorts by time, the latest first; events of the same second keep their order.
    fileprivate func latestFirst() -> [AuditRecord] {
        enumerated().sorted { ($1.element.at, $0.offset) < ($0.element.at, $1.offset) }.map(\.element)
    }
}

extension AuditRecord {
    init(_ entry: AuditEntry, _ names: [DeviceID: String]) {
        self.init(
            sequence: entry.sequence, at: entry.at, act: entry.act, actor: entry.actor, provider: entry.provider,
            linkID: entry.link, deviceID: entry.device, deviceName: entry.device.flatMap { names[$0] },
            targetDeviceID: entry.target, targetDeviceName: entry.target.flatMap { names[$0] }, tier: entry.tier,
            reason: entry.reason, country: entry.country
        )
    }

    init(_ event: DeviceAuditEvent, _ names: [DeviceID: String]) {
        self.init(
            sequence: nil, at: event.at, act: event.action, actor: event.actor, provider: event.provider,
            linkID: event.link,
            deviceID: event.device, deviceName: event.device.flatMap { names[$0] }, targetDeviceID: event.target,
            targetDeviceName: event.target.flatMap { names[$0] }, country: event.country
        )
    }
}
