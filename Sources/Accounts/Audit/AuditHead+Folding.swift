import PhotolalaAPI

extension AuditHead {
    /// The most acts that one change of an account takes over from devices.
    static let foldedAtOnce = 16
    /// The most devices whose acts are known to be in the chain before their records are.
    static let foldedDevices = 8

    /// The devices to read before acts of some are folded: those, and in a full list those that may leave it.
    func devicesToRead(for devices: [DeviceID]) -> [DeviceID] {
        let marked = folded.map(\.device).filter { !devices.contains($0) }
        return marked.count + devices.count > Self.foldedDevices ? devices + marked : devices
    }

    /// Appends the acts that are not in the chain yet and notes that they are, as far as there is room; the others wait.
    ///
    /// A note goes once its device's record was seen without those acts. That is safe only because the records were read
    /// after the account: whoever changes the account from here on reads them later still, and never sees the acts
    /// again.
    mutating func fold(_ noted: [DeviceActs]) throws(AccountError) {
        for record in noted { forget(record) }
        var room = Self.foldedAtOnce
        for record in noted {
            guard let incarnation = record.incarnation else { continue }
            let known = folded.firstIndex { $0.device == record.device }
            guard known != nil || folded.count < Self.foldedDevices else { continue }
            let through = known.map { folded[$0].through } ?? 0
            let fresh = record.acts.filter { $0.sequence > through }.prefix(room)
            guard let last = fresh.last else { continue }
            for act in fresh { try append(act) }
            room -= fresh.count
            folded.removeAll { $0.device == record.device }
            folded.append(FoldedActs(device: record.device, incarnation: incarnation, through: last.sequence))
        }
    }

    /// The acts of a record that are not in the chain yet.
    package func unfolded(_ record: DeviceActs) -> [DeviceAct] {
        let mark = folded.first { $0.device == record.device && $0.incarnation == record.incarnation }
        return record.acts.filter { $0.sequence > mark?.through ?? 0 }
    }

    private mutating func forget(_ record: DeviceActs) {
        folded.removeAll { mark in
            mark.device == record.device
                && (mark.incarnation != record.incarnation
                    || !record.acts.contains { $0.sequence <= mark.through })
        }
    }

    private mutating func append(_ act: DeviceAct) throws(AccountError) {
        try append(
            Act(
                act: act.act, actor: act.actor, provider: act.provider, link: act.link, device: act.device,
                target: act.target, deviceSequence: act.sequence, isNewDevice: act.isNewDevice, at: act.at
            )
        )
    }
}
