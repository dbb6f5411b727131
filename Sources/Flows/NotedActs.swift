import Accounts
import ObjectStorage
import PhotolalaAPI
import Sessions

extension Services {
    /// The caller as the steps on accounts know one.
    func acting(_ caller: Caller) -> ActingSession {
        ActingSession(
            id: caller.session.id, device: caller.device.value.id, link: caller.session.link,
            epoch: caller.session.epoch, startedAt: caller.session.startedAt, expiresAt: caller.session.expiresAt,
            noted: notedActs(of: caller.user)
        )
    }

    /// Does something that a device's record notes. Where that keeps as many acts as it may, they go into the account's
    /// chain first.
    func noting<Value: Sendable>(
        on device: DeviceID, of account: Stored<AccountDocument>, _ act: (SessionStanding) async throws -> Value
    ) async throws -> Value {
        do {
            return try await act(account.value.standing(at: now()))
        } catch SessionError.tooManyActs {
            let noted = notedActs(of: account.value.serviceUserID)
            let folded = try await accounts.fold([device], into: account, noted: noted)
            return try await act(folded.value.standing(at: now()))
        }
    }

    /// Reads what devices of an account keep for its audit chain. A read for each.
    func notedActs(of user: UserID) -> DeviceActsReader {
        { [sessions] (ids) async throws(AccountError) in
            var found: [DeviceActs] = []
            for id in ids {
                do throws(SessionError) {
                    found.append(DeviceActs(id, try await sessions.devices.device(id, of: user)?.value))
                } catch .store(let error) {
                    throw .store(error)
                } catch {
                    // A damaged record: it must not keep anybody from acting on the account.
                    continue
                }
            }
            return found
        }
    }
}

extension AccountDocument {
    /// What of a device's acts is in this account's chain.
    func chained(_ device: DeviceID) -> ChainedActs? {
        audit.folded.first { $0.device == device }.map {
            ChainedActs(incarnation: $0.incarnation, through: $0.through)
        }
    }
}

extension DeviceActs {
    /// What a device's record keeps.
    package init(_ device: DeviceID, _ record: DeviceRecord?) {
        let acts = record?.acts.map { act in
            let isService = act.act == .deviceForgotten || act.act == .deviceDisplaced
            let isRemoval = isService || act.act == .deviceRemoved
            return DeviceAct(
                sequence: act.sequence, at: act.at, act: act.act,
                actor: isService ? .service : .user, provider: act.provider, link: act.link,
                device: isRemoval ? act.by : device, target: isRemoval ? device : nil,
                isNewDevice: act.isNewDevice
            )
        }
        self.init(device: device, incarnation: record?.incarnation, acts: acts ?? [])
    }
}
