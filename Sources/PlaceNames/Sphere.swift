import Foundation

/// The earth as a sphere.
enum Sphere {
    /// In kilometers.
    static let radius = 6371.0

    /// Returns the point on a sphere with the radius 1 for degrees.
    static func point(latitude: Double, longitude: Double) -> SIMD3<Float> {
        let (north, east) = (latitude * .pi / 180, longitude * .pi / 180)
        return SIMD3(Float(cos(north) * cos(east)), Float(cos(north) * sin(east)), Float(sin(north)))
    }

    /// Returns how many degrees of longitude a circle around a location extends to either side; 180 if it has a pole.
    static func width(latitude: Double, reach: Double) -> Double {
        let angle = reach / radius
        guard abs(latitude) * .pi / 180 + angle < .pi / 2 else { return 180 }
        return asin(min(1, sin(angle) / cos(latitude * .pi / 180))) * 180 / .pi
    }
}
