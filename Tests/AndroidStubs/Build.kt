package android.os

/** https://developer.android.com/reference/android/os/Build */
class Build {
    /** https://developer.android.com/reference/android/os/Build.VERSION */
    class VERSION {
        companion object {
            /** https://developer.android.com/reference/android/os/Build.VERSION#SDK_INT */
            @JvmField
            var SDK_INT: Int = 0
        }
    }

    /** https://developer.android.com/reference/android/os/Build.VERSION_CODES */
    class VERSION_CODES {
        companion object {
            /** https://developer.android.com/reference/android/os/Build.VERSION_CODES#P */
            const val P: Int = 28
        }
    }
}
