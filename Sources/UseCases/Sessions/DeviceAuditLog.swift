import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import Sessions

/// Moves the pending audit events of device records into the accounts' audit logs.
struct DeviceAuditLog: Sendable {
    let accounts: AccountDirectory
    let sessions: SessionIssuer
    let now: @Sendable () -> Date

    /// Returns the acting session that `Accounts` expects.
    func actingSession(_ caller: Caller) -> ActingSession {
        ActingSession(
            id: caller.session.id, device: caller.device.value.id, link: caller.session.link,
            authority: caller.authority(at: now()), epoch: caller.session.epoch, startedAt: caller.session.startedAt,
            expiresAt: caller.session.expiresAt,
            pendingEvents: pendingAuditEvents(of: caller.user)
        )
    }

    /// Performs an operation that records an audit event in a device record. If the record is full, its pending events
    /// are flushed into the account's audit log first.
    func recordingAuditEvents<Value: Sendable>(
        on device: DeviceID, of account: Stored<AccountDocument>, _ act: (SessionState) async throws -> Value
    ) async throws -> Value {
        do {
            return try await act(account.value.sessionState(at: now()))
        } catch SessionError.tooManyPendingEvents {
            let user = account.value.serviceUserID
            let pending = pendingAuditEvents(of: user)
            var flushed = try await accounts.flush([device], into: account, pendingEvents: pending)
            if flushed.value.logged(device) == nil {
                // All flush marks are in use. A mark is dropped once its record no longer holds logged events.
                try await removeLoggedEvents(of: flushed.value)
                flushed = try await accounts.flush([device], into: flushed, pendingEvents: pending)
            }
            return try await act(flushed.value.sessionState(at: now()))
        }
    }

    /// Removes from the device records with a flush mark the events that are in the account's audit log. At most a read
    /// and a write for each of the 8 marks.
    private func removeLoggedEvents(of account: AccountDocument) async throws {
        for flushedDevice in account.audit.folded {
            _ = try await sessions.devices.reconcile(
                flushedDevice.device, of: account.serviceUserID, logged: account.logged(flushedDevice.device))
        }
    }

    /// Returns a reader for the pending audit events of an account's devices. One read for each device.
    func pendingAuditEvents(of user: UserID) -> DeviceAuditEventsReader {
        { [sessions] (ids) async throws(AccountError) in
            var found: [DeviceAuditEvents] = []
            for id in ids {
                do throws(SessionError) {
                    found.append(DeviceAuditEvents(id, try await sessions.devices.device(id, of: user)?.value))
                } catch .store(let error) {
                    throw .store(error)
                } catch {
                    // A damaged device record must not block actions on the account.
                    continue
                }
            }
            return found
        }
    }

    /// Schedules event delivery for an account after one of its devices recorded an audit event.
    func enqueueDeviceEvents(onDeviceOf user: UserID) async { await accounts.enqueueDeviceEvents(of: user) }
}

extension AccountDocument {
    /// Returns which audit events of a device are in this account's audit log.
    func logged(_ device: DeviceID) -> LoggedAuditEvents? {
        audit.folded.first { $0.device == device }.map {
            LoggedAuditEvents(incarnation: $0.incarnation, through: $0.through)
        }
    }
}

extension DeviceAuditEvents {
    /// Creates the pending audit events of a device record.
    package init(_ device: DeviceID, _ record: DeviceRecord?) {
        let events = record?.acts.map { event in
            let isService = event.act == .deviceForgotten || event.act == .deviceDisplaced
            let isRemoval = isService || event.act == .deviceRemoved
            return DeviceAuditEvent(
                sequence: event.sequence, at: event.at, action: event.act,
                actor: isService ? .service : .user, provider: event.provider, link: event.link,
                device: isRemoval ? event.by : device, target: isRemoval ? device : nil,
                isNewDevice: event.isNewDevice, country: event.country
            )
        }
        self.init(device: device, incarnation: record?.incarnation, events: events ?? [])
    }
}
