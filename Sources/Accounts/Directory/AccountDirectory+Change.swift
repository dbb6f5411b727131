import ObjectStorage
import PhotolalaAPI

extension AccountDirectory {
    /// Changes an account by compare-and-swap and retries after concurrent changes. A change without effect writes
    /// nothing. If a session requested an audited change, pending audit events of its device are flushed first, so that
    /// the log keeps their order.
    package func change(
        _ account: Stored<AccountDocument>, by session: ActingSession? = nil,
        _ mutate: (inout AccountDocument) throws(AccountError) -> Void
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await compareAndSwap(account) { (current) async throws(AccountError) in
            var next = current
            try mutate(&next)
            guard next.audit != current.audit else { return next }
            next = current
            next.audit = try auditHead(of: current)
            if let session {
                try next.audit.flush(try await session.pendingEvents(next.audit.devicesToRead(for: [session.device])))
            }
            try mutate(&next)
            return next
        }
    }

    /// Flushes pending audit events of devices to the account's log, up to the limit of one change; the rest waits for
    /// the next.
    /// - Parameter delivering: whether to store a delivery for the resulting events; `false` while a sender is active.
    package func flush(
        _ devices: [DeviceID], into account: Stored<AccountDocument>, pendingEvents: DeviceAuditEventsReader,
        delivering: Bool = true
    ) async throws(AccountError) -> Stored<AccountDocument> {
        try await compareAndSwap(account, delivering: delivering) { (current) async throws(AccountError) in
            var next = current
            next.audit = try auditHead(of: current)
            let before = next.audit.sequence
            try next.audit.flush(try await pendingEvents(next.audit.devicesToRead(for: devices)))
            return next.audit.sequence == before ? current : next
        }
    }

    /// Returns the log to append to. If the seal of its head is not proven, an entry marks what precedes it as
    /// unproven, once.
    private func auditHead(of account: AccountDocument) throws(AccountError) -> AuditHead {
        var head = account.audit
        if audit.sealing.verify(head, of: account.serviceUserID) != .authentic {
            try head.append(.init(action: .logUnverified, actor: .service, at: now()))
        }
        return head
    }

    /// Replaces an account by compare-and-swap with the result of `make`, retrying after conflicts. Each call of `make`
    /// gets a document that was read before the call.
    /// - Parameter isAllowed: returns whether an account in this state may be changed.
    func compareAndSwap(
        _ account: Stored<AccountDocument>, delivering: Bool = true,
        if isAllowed: (AccountDocument) -> Bool = { $0.isUsable },
        _ make: (AccountDocument) async throws(AccountError) -> AccountDocument
    ) async throws(AccountError) -> Stored<AccountDocument> {
        let user = account.value.serviceUserID
        var current = account
        for attempt in 0..<retry.attempts {
            guard isAllowed(current.value) else { throw .accountNotUsable }
            var next = try await make(current.value)
            guard next != current.value else { return current }
            let isLonger = next.audit != current.value.audit
            if isLonger {
                next.audit = try next.audit.sealed(after: current.value.audit, of: user, audit.sealing)
                for outbox in outboxes { next.markUnsent(outbox.channel) }
                try await audit.ensureEntriesStored(of: current.value)
            }
            do {
                let written = try await documents.replace(Self.key(user), current, with: next)
                if isLonger { await publish(written.value, delivering: delivering) }
                return written
            } catch .preconditionFailed {
                await retry.pause(after: attempt)
                guard let found = try await self.account(user) else { throw .accountNotUsable }
                current = found
            } catch {
                throw .store(error)
            }
        }
        throw .contended
    }
}
