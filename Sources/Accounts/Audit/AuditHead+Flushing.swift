import PhotolalaAPI

extension AuditHead {
    /// The largest number of pending audit events that one account change flushes.
    static let maximumFlushedEvents = 16
    /// The largest number of devices whose flushed position is tracked.
    static let maximumTrackedDevices = 8

    /// Returns the devices to read before pending audit events of `devices` are flushed: those devices and, if there
    /// would be more than `maximumTrackedDevices` tracked ones, all tracked devices, because their positions may be
    /// dropped.
    func devicesToRead(for devices: [DeviceID]) -> [DeviceID] {
        let tracked = folded.map(\.device).filter { !devices.contains($0) }
        return tracked.count + devices.count > Self.maximumTrackedDevices ? devices + tracked : devices
    }

    /// Appends pending audit events that are not in the log yet and records their positions as flushed, up to
    /// `maximumFlushedEvents` events and `maximumTrackedDevices` devices. The others stay pending.
    ///
    /// A position is dropped once its device record was read without those events. This is safe only because device
    /// records are read after the account: every later change of the account reads them later still and cannot see the
    /// events again.
    mutating func flush(_ records: [DeviceAuditEvents]) throws(AccountError) {
        for record in records { removeStalePositions(record) }
        var capacity = Self.maximumFlushedEvents
        for record in records {
            guard let incarnation = record.incarnation else { continue }
            let known = folded.firstIndex { $0.device == record.device }
            guard known != nil || folded.count < Self.maximumTrackedDevices else { continue }
            let through = known.map { folded[$0].through } ?? 0
            let unflushed = record.events.filter { $0.sequence > through }.prefix(capacity)
            guard let last = unflushed.last else { continue }
            for event in unflushed { try append(event) }
            capacity -= unflushed.count
            folded.removeAll { $0.device == record.device }
            folded.append(FlushedAuditEvents(device: record.device, incarnation: incarnation, through: last.sequence))
        }
    }

    /// Returns the pending audit events of a record that are not in the log yet.
    package func unflushedEvents(_ record: DeviceAuditEvents) -> [DeviceAuditEvent] {
        let position = folded.first { $0.device == record.device && $0.incarnation == record.incarnation }
        return record.events.filter { $0.sequence > position?.through ?? 0 }
    }

    private mutating func removeStalePositions(_ record: DeviceAuditEvents) {
        folded.removeAll { position in
            position.device == record.device
                && (position.incarnation != record.incarnation
                    || !record.events.contains { $0.sequence <= position.through })
        }
    }

    private mutating func append(_ event: DeviceAuditEvent) throws(AccountError) {
        try append(
            Event(
                action: event.action, actor: event.actor, provider: event.provider, link: event.link,
                device: event.device,
                target: event.target, deviceSequence: event.sequence, isNewDevice: event.isNewDevice,
                country: event.country, at: event.at
            )
        )
    }
}
