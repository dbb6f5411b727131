import PhotolalaAPI

extension DeviceDescription {
    /// Checks the limits of the description.
    func validate() throws(ServiceError) {
        guard name.isPlainText(1...100) else {
            throw .invalidRequest("device.name must be 1 to 100 characters without control characters.")
        }
        guard (model ?? "").isPlainText(0...100) else {
            throw .invalidRequest("device.model must be at most 100 characters without control characters.")
        }
        guard platform.isPlainText(1...32) else {
            throw .invalidRequest("device.platform must be 1 to 32 characters without control characters.")
        }
    }
}

extension String {
    /// Returns whether the text has an allowed length and no control characters. Counts Unicode scalars, because one
    /// character can carry any number of accents.
    func isPlainText(_ length: ClosedRange<Int>) -> Bool {
        length.contains(unicodeScalars.count)
            && !unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
