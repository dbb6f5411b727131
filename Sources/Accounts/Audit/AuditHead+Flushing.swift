import PhotolalaAPI

extension AuditHead {
    /// The largest number of pending audit events that one account change flushes.
    static let maximumFlushedEvents = 16
    /// The largest number of devices with a flush mark.
    static let maximumTrackedDevices = 8

    /// Returns the devices to read before pending audit events of `devices` are flushed: those devices and, if the
    /// marks would exceed `maximumTrackedDevices`, all devices with a mark, because their marks may be dropped.
    func devicesToRead(for devices: [DeviceID]) -> [DeviceID] {
        let marked = folded.map(\.device).filter { !devices.contains($0) }
        return marked.count + devices.count > Self.maximumTrackedDevices ? devices + marked : devices
    }

    /// Appends pending audit events that are not in the log yet and marks them as flushed, up to `maximumFlushedEvents` events
    /// and `maximumTrackedDevices` devices. The others stay pending.
    ///
    /// A mark is dropped once its device record was read without those events. This is safe only because device records
    /// are read after the account: every later change of the account reads them later still and cannot see the events
    /// again.
    mutating func flush(_ noted: [DeviceAuditEvents]) throws(AccountError) {
        for record in noted { removeStalePositions(record) }
        var room = Self.maximumFlushedEvents
        for record in noted {
            guard let incarnation = record.incarnation else { continue }
            let known = folded.firstIndex { $0.device == record.device }
            guard known != nil || folded.count < Self.maximumTrackedDevices else { continue }
            let through = known.map { folded[$0].through } ?? 0
            let fresh = record.acts.filter { $0.sequence > through }.prefix(room)
            guard let last = fresh.last else { continue }
            for act in fresh { try append(act) }
            room -= fresh.count
            folded.removeAll { $0.device == record.device }
            folded.append(FlushedAuditEvents(device: record.device, incarnation: incarnation, through: last.sequence))
        }
    }

    /// Returns the pending audit events of a record that are not in the log yet.
    package func unflushedEvents(_ record: DeviceAuditEvents) -> [DeviceAuditEvent] {
        let mark = folded.first { $0.device == record.device && $0.incarnation == record.incarnation }
        return record.acts.filter { $0.sequence > mark?.through ?? 0 }
    }

    private mutating func removeStalePositions(_ record: DeviceAuditEvents) {
        folded.removeAll { mark in
            mark.device == record.device
                && (mark.incarnation != record.incarnation
                    || !record.acts.contains { $0.sequence <= mark.through })
        }
    }

    private mutating func append(_ act: DeviceAuditEvent) throws(AccountError) {
        try append(
            Event(
                act: act.act, actor: act.actor, provider: act.provider, link: act.link, device: act.device,
                target: act.target, deviceSequence: act.sequence, isNewDevice: act.isNewDevice, at: act.at
            )
        )
    }
}
