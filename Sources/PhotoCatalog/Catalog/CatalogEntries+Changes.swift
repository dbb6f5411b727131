extension CatalogEntries {
    /// Returns the tag of the device that added an entry's content; `none` if it was not a device.
    package func addedBy(_ index: Int) -> DeviceTag { catalog.records[Int(order[index])].added.device }

    /// Returns the tag of the device that moved an entry to the trash; `nil` if the entry is not in the trash.
    package func trashedBy(_ index: Int) -> DeviceTag? {
        let record = catalog.records[Int(order[index])]
        return record.trashed > 0 ? record.trashChanged.device : nil
    }

    /// Returns whether an entry is in the trash because another content replaced it there.
    package func isReplaced(_ index: Int) -> Bool {
        let entry = identity(at: index)
        return catalog.isReplaced(entry.path, entry.md5)
    }
}
