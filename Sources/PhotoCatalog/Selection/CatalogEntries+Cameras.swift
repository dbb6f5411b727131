extension CatalogEntries {
    /// Returns the cameras with the most entries, the most used first. Reads each record once.
    /// - Parameter limit: The largest number of cameras, at least 1.
    package func mostUsedCameras(_ limit: Int) -> [CameraName] {
        let cameras = catalog.cameras
        var counts = [Int](repeating: 0, count: cameras.count)
        for index in order {
            if let camera = catalog.records[Int(index)].camera { counts[camera] += 1 }
        }
        func precedes(_ one: Int, _ other: Int) -> Bool {
            counts[one] == counts[other] ? cameras[one] < cameras[other] : counts[one] > counts[other]
        }
        // Sorting all would take long if each photo had a camera of its own.
        var most: [Int] = []
        for camera in cameras.indices where counts[camera] > 0 {
            if most.count >= limit, let last = most.last {
                guard precedes(camera, last) else { continue }
                most.removeLast()
            }
            most.insert(camera, at: most.firstIndex { precedes(camera, $0) } ?? most.endIndex)
        }
        return most.map { cameras[$0] }
    }
}
