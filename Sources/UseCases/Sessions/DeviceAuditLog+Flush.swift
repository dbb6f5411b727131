import PhotolalaAPI

extension DeviceAuditLog {
    /// Flushes the pending audit events of one account's devices, before its events are delivered.
    /// - Returns: whether nothing is left to flush.
    func flushAllDevices(of user: UserID) async throws -> Bool {
        let found = try await sessions.devices.devices(of: user).filter(\.awaitsAuditLog)
        return try await flushDevices(found.map(\.id), of: user, delivering: false)
    }

    /// Flushes devices in small batches until all are done or no progress is possible.
    /// - Returns: whether all are done; `true` for an account that is no longer in use.
    func flushDevices(_ devices: [DeviceID], of user: UserID, delivering: Bool) async throws -> Bool {
        var remaining = devices
        while !remaining.isEmpty {
            guard let account = try await accounts.account(user), account.value.isUsable else { return true }
            // Devices with a mark first: once their records are reconciled, the next flush drops their marks.
            let marked = Set(account.value.audit.folded.map(\.device))
            remaining = remaining.filter(marked.contains) + remaining.filter { !marked.contains($0) }
            let some = Array(remaining.prefix(Self.flushBatchSize))
            let folded = try await accounts.flush(
                some, into: account, pendingEvents: pendingAuditEvents(of: user), delivering: delivering)
            var done: Set<DeviceID> = []
            for device in some {
                let updated = folded.value.logged(device)
                if try await sessions.devices.reconcile(device, of: user, logged: updated) { done.insert(device) }
            }
            // Another instance may have flushed everything, or may be writing now; the next run flushes the rest.
            let isMoving = folded.value.audit.sequence > account.value.audit.sequence || !done.isEmpty
            guard isMoving else { return false }
            remaining.removeAll { done.contains($0) }
        }
        return true
    }

    private static let flushBatchSize = 8
}
